import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { AppError } from '../../../shared/domain/failure.ts'
import { CallError } from '../../config/call-error.ts'
import type { Call } from '../verb.ts'

/** The forms that exports are written in, by the ending of the file's name (contract 15.4, 8). */
export type ExchangeForm = 'json' | 'yaml'

/** `CallError` for another ending. */
export function formOf(file: string): ExchangeForm {
  const ending = /\.(json|ya?ml)$/i.exec(file)?.[1]?.toLowerCase()
  if (ending === undefined) throw new CallError('the file must end in .json, .yml or .yaml')
  return ending === 'json' ? 'json' : 'yaml'
}

/** Reads what FILE holds. `bad-request` when it cannot be read in its form, `not-found` where there is no file. */
export async function readExchange({ io, words: [name = ''] }: Call): Promise<unknown> {
  const form = formOf(name)
  const content = (await readWhole(resolve(io.cwd, name), name)).replace(/^\ufeff/, '')
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

/** Writes FILE whole or not at all, for its owner alone: exports hold hashes and secrets. A file in its place is replaced. */
export async function writeExchange({ io, words: [name = ''] }: Call, value: unknown): Promise<void> {
  const text =
    formOf(name) === 'json'
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

/** Maps whose keys are values of their own: events, and our options. */
const namedByPeople: ReadonlySet<string> = new Set(['commands', 'options'])

/** YAML has the original's field names in lower case, one of which is another than in JSON. */
function withLowerKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      key === 'imageResolutionCalculation' ? 'imageresolutioncal' : key.toLowerCase(),
      namedByPeople.has(key) && !Array.isArray(member) ? member : withLowerKeys(member),
    ]),
  )
}
