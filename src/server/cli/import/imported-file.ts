import { readFile, stat } from 'node:fs/promises'
import { AppError } from '../../../shared/domain/failure.ts'

export type ImportedFileOptions = {
  /** The name of the file in messages. */
  readonly name: string
  readonly maxBytes: number
}

/**
 * Reads a file that is imported. Throws `not-found` for a missing file, `bad-request` for one that is too large, and
 * `unavailable` for one that cannot be read.
 */
export async function readImportedFile(
  file: string,
  { name, maxBytes }: ImportedFileOptions,
): Promise<Buffer> {
  const sizeBytes = await sizeOfImportedFile(file, name)
  if (sizeBytes > maxBytes) throw new AppError('bad-request', { reason: `${name} is too large` })
  return readFile(file).catch((cause: unknown) => refuseFile(cause, name))
}

/**
 * Returns the size in bytes of a file that is imported. Throws `bad-request` for anything but a regular file, since a pipe
 * could be endless.
 */
export async function sizeOfImportedFile(file: string, name: string): Promise<number> {
  const fileStat = await stat(file).catch((cause: unknown) => refuseFile(cause, name))
  if (!fileStat.isFile()) throw new AppError('bad-request', { reason: `${name} is not a file` })
  return fileStat.size
}

function refuseFile(cause: unknown, name: string): never {
  const { code } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT') throw new AppError('not-found', { cause, reason: `there is no file ${name}` })
  throw new AppError('unavailable', { cause, reason: `${name} cannot be read (${code})` })
}
