import { readFile, stat } from 'node:fs/promises'
import { AppError } from '../../../shared/domain/failure.ts'

export type ImportedFileOptions = {
  /** The name of the file in messages. */
  readonly name: string
  readonly maxBytes: number
}

/**
 * Reads a file that is imported. Throws `not-found` for a missing file, `bad-request` for one that is too large, and
 * `unavailable` for one that cannot be read. Only regular files are read, since a pipe could be endless.
 */
export async function readImportedFile(
  file: string,
  { name, maxBytes }: ImportedFileOptions,
): Promise<Buffer> {
  try {
    const facts = await stat(file)
    if (!facts.isFile()) throw new AppError('bad-request', { reason: `${name} is no file` })
    if (facts.size > maxBytes) throw new AppError('bad-request', { reason: `${name} is too large` })
    return await readFile(file)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new AppError('not-found', { cause, reason: `there is no file ${name}` })
    throw new AppError('unavailable', { cause, reason: `${name} cannot be read (${code})` })
  }
}
