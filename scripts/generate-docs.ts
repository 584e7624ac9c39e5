import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { apiPage } from './docs/api-page.ts'
import { configurationPage } from './docs/configuration-page.ts'
import { doctorPage } from './docs/doctor-page.ts'
import { differencesPage } from './docs/differences-page.ts'
import { errorsPage } from './docs/errors-page.ts'
import { requestLimitsPage } from './docs/request-limits-page.ts'
import { messageValuesModule } from './texts/message-values.ts'

/** A file that is generated from other sources, so that it is always up to date: a page of the documentation or a module. */
export type PageGenerator = { readonly file: string; readonly make: () => string | Promise<string> }

/** All generated files. Their paths are relative to the root of the repository. */
export const generatedPages: readonly PageGenerator[] = [
  { file: 'docs/generated/configuration.md', make: configurationPage },
  { file: 'docs/generated/api.json', make: apiPage },
  { file: 'docs/doctor.md', make: doctorPage },
  { file: 'docs/generated/errors.md', make: errorsPage },
  { file: 'docs/generated/differences.md', make: differencesPage },
  { file: 'docs/generated/request-limits.md', make: requestLimitsPage },
  { file: 'src/client/i18n/message-values.ts', make: messageValuesModule },
]

const folder = join(import.meta.dirname, '..')

/** Returns the file names of the pages that are out of date. */
export async function stalePages(): Promise<readonly string[]> {
  const stale: string[] = []
  for (const { file, make } of generatedPages) {
    if (contentOf(join(folder, file)) !== (await make())) stale.push(file)
  }
  return stale
}

async function writePages(): Promise<void> {
  for (const { file, make } of generatedPages) {
    const goal = join(folder, file)
    mkdirSync(dirname(goal), { recursive: true })
    writeFileSync(goal, await make())
  }
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

/**
 * Runs `node scripts/generate-docs.ts`, which writes all pages. With `--check`, it only lists the pages that are out of
 * date.
 */
async function main(args: readonly string[]): Promise<void> {
  if (!args.includes('--check')) return writePages()
  const stale = await stalePages()
  for (const file of stale) console.error(`${file} is stale; run node scripts/generate-docs.ts`)
  process.exitCode = stale.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? '')).href) await main(process.argv.slice(2))
