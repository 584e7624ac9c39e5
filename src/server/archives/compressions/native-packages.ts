import { execFile } from 'node:child_process'
import { constants } from 'node:os'
import { AppError } from '../../../shared/domain/failure.ts'
import type { NativeFormat } from '../../../shared/domain/native-formats.ts'

/** The packages with native code that pack and unpack a format. A platform may lack the binary of one of them. */
export const nativePackages: Readonly<Record<NativeFormat, string>> = {
  'tar.xz': 'lzma-native',
  'tar.lz4': 'lz4-napi',
  'tar.sz': 'snappy',
}

const missing = (name: string) => (cause: unknown) => {
  throw new AppError('unsupported', { reason: `the package ${name} is missing or does not run here`, cause })
}

/** Loads the package for xz. Throws `unsupported` where the package does not run. */
export const loadLzma = async () =>
  (await import('lzma-native').catch(missing(nativePackages['tar.xz']))).default

/** Loads the package for lz4. Throws `unsupported` where the package does not run. */
export const loadLz4 = () => import('lz4-napi').catch(missing(nativePackages['tar.lz4']))

/** Loads the package for Snappy. Throws `unsupported` where the package does not run. */
export const loadSnappy = () => import('snappy').catch(missing(nativePackages['tar.sz']))

/** The time limit of the search for packages that do not run, in milliseconds. It usually takes 0.5 s. */
const searchMs = 30_000

/**
 * Returns the formats whose packages do not run on this machine. Another process loads them, because they take a third of a
 * second and 10 MB, and most servers need none of them. Nothing is missing when that process fails otherwise.
 */
export async function findMissingFormats(signal: AbortSignal): Promise<readonly NativeFormat[]> {
  const names = JSON.stringify(Object.values(nativePackages))
  const program = `(await import('node:os')).setPriority(${constants.priority.PRIORITY_LOW})
    for (const name of ${names}) await import(name).catch(() => console.log(name))`
  const { promise, resolve } = Promise.withResolvers<string>()
  try {
    execFile(
      process.execPath,
      ['--input-type=module', '--eval', program],
      { cwd: import.meta.dirname, signal, timeout: searchMs },
      (error, output) => resolve(error === null ? output : ''),
    )
  } catch {
    // Node throws some failures of the start, such as too little memory or a filter that allows no new process.
    resolve('')
  }
  const absent = new Set((await promise).split('\n'))
  return (Object.keys(nativePackages) as NativeFormat[]).filter((format) =>
    absent.has(nativePackages[format]),
  )
}
