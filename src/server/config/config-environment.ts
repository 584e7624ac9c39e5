import { existsSync, readFileSync, statSync, accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Access to the process and the file system, for reading the configuration. */
export type ConfigEnvironment = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory, against which relative paths are resolved. */
  readonly cwd: string
  /** The home directory; empty when there is none. */
  readonly home: string
  /** Returns the content of a file, or null when the file does not exist. */
  readonly readFile: (path: string) => string | null
  readonly exists: (path: string) => boolean
  /** Returns true for an existing file that only its owner can access, in a folder that this process may enter. */
  readonly isPrivate: (path: string) => boolean
}

/** Returns the environment of this process. */
export const realEnvironment = (env: ConfigEnvironment['env'], cwd: string): ConfigEnvironment => ({
  env,
  cwd,
  home: env['HOME'] ?? env['USERPROFILE'] ?? '',
  readFile,
  exists: existsSync,
  isPrivate,
})

function isPrivate(path: string): boolean {
  try {
    return (statSync(path).mode & 0o077) === 0
  } catch {
    return false
  }
}

function readFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new UsageError(`${path} cannot be read (${code})`, { cause })
  }
}

/** Throws `UsageError` unless the served folder exists and can be read. */
export function requireFolder(root: string): void {
  try {
    if (!statSync(root).isDirectory()) throw new UsageError(`--root: ${root} is not a folder`)
    accessSync(root, constants.R_OK | constants.X_OK)
  } catch (cause) {
    if (cause instanceof UsageError) throw cause
    throw new UsageError(`--root: ${root} cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    })
  }
}

/** Returns the absolute form of a path. */
export const absolute = (cwd: string, path: string): string => resolve(cwd, path)
