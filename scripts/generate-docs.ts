import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { apiPage } from './docs/api-page.ts'
import { configurationPage } from './docs/configuration-page.ts'
import { errorsPage } from './docs/errors-page.ts'

/** A page that is generated from the source, so that it cannot contradict it. */
export type GeneratedPage = { readonly file: string; readonly make: () => string | Promise<string> }

/** All generated pages, by their path below `docs/generated`. */
export const generatedPages: readonly GeneratedPage[] = [
  { file: 'configuration.md', make: configurationPage },
  { file: 'api.json', make: apiPage },
  { file: 'errors.md', make: errorsPage },
]

const folder = join(import.meta.dirname, '../docs/generated')

/** Returns the pages that differ from their source. */
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

/** `node scripts/generate-docs.ts` writes the pages. With `--check` it only lists the stale pages. */
async function main(words: readonly string[]): Promise<void> {
  if (!words.includes('--check')) return writePages()
  const stale = await stalePages()
  for (const file of stale) console.error(`docs/generated/${file} is stale: node scripts/generate-docs.ts`)
  process.exitCode = stale.length === 0 ? 0 : 1
}

if (import.meta.url === pathToFileURL(resolve(process.argv[1] ?? '')).href) await main(process.argv.slice(2))
