import { headBytes } from '../../shared/domain/file-kind.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { OperationOptions } from './change.ts'
import type { OpenFile, Storage } from './port.ts'

/** Reads the first bytes of a file, by which its type is determined. Returns null for a file that the server may not read. */
export type HeadReader = (path: Path, options?: OperationOptions) => Promise<Uint8Array | null>

export const headReaderOf =
  (storage: Pick<Storage, 'open'>): HeadReader =>
  (path, options) =>
    readHead(storage, { path, end: headBytes, ...options })

/** The path of a file, and the number of bytes that are read from its start. */
export type FileHead = OperationOptions & { readonly path: Path; readonly end: number }

/** Reads the first `end` bytes of a file. Returns null when the operating system or the storage denies access to its content. */
export async function readHead(
  storage: Pick<Storage, 'open'>,
  { path, end, signal }: FileHead,
): Promise<Uint8Array | null> {
  try {
    const file = await storage.open(path, { signal })
    try {
      return await firstBytes(file, end)
    } finally {
      await file.close()
    }
  } catch (error) {
    if (codeOf(error) === 'forbidden') return null
    throw error
  }
}

/**
 * Reads up to `maxBytes` bytes from the start of an open file. Each chunk is copied, because the storage reuses its
 * buffer.
 */
async function firstBytes(file: OpenFile, maxBytes: number): Promise<Uint8Array> {
  const end = Math.min(maxBytes, file.entry.target?.sizeBytes ?? file.entry.sizeBytes)
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end })) chunks.push(Uint8Array.from(chunk))
  return Buffer.concat(chunks)
}
