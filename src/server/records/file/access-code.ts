import { accessSync } from 'node:fs'

/**
 * Returns the error code, such as `EACCES`, that this process gets when it accesses a path with `mode`, a sum of the
 * access constants of `node:fs`. Null when the access is allowed.
 */
export function accessCode(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? 'EIO'
  }
}
