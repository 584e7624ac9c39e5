import { existsSync, readFileSync, statSync, accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { CallError } from './call-error.ts'

/** What configuration is read from, besides the command line. */
export type Surroundings = {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The working directory; relative paths begin here. */
  readonly cwd: string
  /** The home directory; empty for none. */
  readonly home: string
  /** The content of a file; null when there is none. */
  readonly readFile: (path: string) => string | null
  readonly exists: (path: string) => boolean
}

/** The surroundings of a real process. */
export const realSurroundings = (env: Surroundings['env'], cwd: string): Surroundings => ({
  env,
  cwd,
  home: env['HOME'] ?? env['USERPROFILE'] ?? '',
  readFile,
  exists: existsSync,
})

function readFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new CallError(`${path} cannot be read (${code})`, { cause })
  }
}

/** `CallError` unless the served folder is one that can be read. */
export function requireFolder(root: string): void {
  try {
    if (!statSync(root).isDirectory()) throw new CallError(`--root: ${root} is no folder`)
    accessSync(root, constants.R_OK | constants.X_OK)
  } catch (cause) {
    if (cause instanceof CallError) throw cause
    throw new CallError(`--root: ${root} cannot be read (${(cause as NodeJS.ErrnoException).code})`, {
      cause,
    })
  }
}

export const absolute = (cwd: string, path: string): string => resolve(cwd, path)
