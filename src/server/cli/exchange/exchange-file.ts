import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import { UsageError } from '../../config/usage-error.ts'
import type { VerbCall } from '../verb/verb.ts'

/** The format of an export, which the extension of the file determines (contract 15.4, 8). */
export type ExchangeFormat = 'json' | 'yaml'

/** Returns the format of a file. Throws a `UsageError` for another extension. */
export function formatOf(file: string): ExchangeFormat {
  const ending = /\.(json|ya?ml)$/i.exec(file)?.[1]?.toLowerCase()
  if (ending === undefined) throw new UsageError('the file must end in .json, .yml or .yaml')
  return ending === 'json' ? 'json' : 'yaml'
}

/** Reads and parses FILE. Throws `bad-request` when it cannot be parsed, `not-found` when it does not exist. */
export const readExchange = ({ io, words: [name = ''] }: VerbCall): Promise<unknown> =>
  readExchangeFile(io.cwd, name)

/** Works like `readExchange` with a file in a folder. */
export async function readExchangeFile(folder: string, name: string): Promise<unknown> {
  const form = formatOf(name)
  const content = (await readWhole(resolve(folder, name), name)).replace(/^\ufeff/, '')
  const parse = form === 'json' ? (text: string) => JSON.parse(text) as unknown : (await import('yaml')).parse
  try {
    return parse(content)
  } catch (cause) {
    throw new AppError('bad-request', {
      cause,
      reason: `${name}: ${(cause as Error).message.split('\n')[0]}`,
    })
  }
}

async function readWhole(file: string, name: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new AppError('not-found', { cause, reason: `there is no file ${name}` })
    throw new AppError('unavailable', { cause, reason: `${name} cannot be read (${code})` })
  }
}

/**
 * Writes FILE atomically, and replaces an existing file. Only the owner can read it, since exports contain hashes and
 * secrets.
 */
export async function writeExchange({ io, words: [name = ''] }: VerbCall, value: unknown): Promise<void> {
  const text =
    formatOf(name) === 'json'
      ? `${JSON.stringify(value, null, 4)}\n`
      : (await import('yaml')).stringify(withLowerKeys(value), { indent: 4, lineWidth: 0 })
  const file = resolve(io.cwd, name)
  const unfinished = `${file}.unfinished`
  try {
    await rm(unfinished, { force: true })
    await writeFile(unfinished, text, { mode: 0o600, flag: 'wx' })
    await rename(unfinished, file)
  } catch (cause) {
    await rm(unfinished, { force: true })
    const { code } = cause as NodeJS.ErrnoException
    throw new AppError('unavailable', { cause, reason: `${name} cannot be written (${code})` })
  }
}

/** The names of objects whose keys are data and not field names: hook events, and options that only Stowage has. */
const freeKeyedMembers: ReadonlySet<string> = new Set(['commands', 'options'])

/**
 * Converts the keys to the names that File Browser uses in YAML. These are the JSON names in lower case, except for one
 * key.
 */
function withLowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key === 'imageResolutionCalculation' ? 'imageresolutioncal' : key.toLowerCase(),
      freeKeyedMembers.has(key) && !Array.isArray(member) ? member : withLowerKeys(member),
    ]),
  )
}
