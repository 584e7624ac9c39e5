import { accessSync } from 'node:fs'

/**
 * Returns the code of the error that this process gets when it uses a file or folder in a way, such as `EACCES`; null when
 * it may. `mode` is a sum of the access constants of `node:fs`.
 */
export function accessCode(path: string, mode: number): string | null {
  try {
    accessSync(path, mode)
    return null
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code ?? 'EIO'
  }
}
