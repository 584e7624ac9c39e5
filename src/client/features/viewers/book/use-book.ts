import { useOpened } from '../frame/use-opened.ts'
import type { ViewedFile } from '../viewer.ts'
import { damagedReasonOf } from '../zip/damaged-reason-of.ts'
import { ZipError } from '../zip/zip-error.ts'
import { type Book, EncryptedBookError, openBook } from './book.ts'

/** Opens a book. Returns null while it is opened, and `encrypted` for a book that only the seller's program can show. */
export function useBook(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  onBroken: (reason?: string) => void,
): Book | 'encrypted' | null {
  return useOpened({
    key: `${address} ${sizeBytes}`,
    open: (signal) => openBook({ address, sizeBytes }, signal).catch(orEncrypted),
    onFailed: (error) => onBroken(damagedReasonOf(error)),
  })
}

/** @throws the error, unless it is that of an encrypted book. */
function orEncrypted(error: unknown): 'encrypted' {
  const isEncrypted =
    error instanceof EncryptedBookError || (error instanceof ZipError && error.fault === 'encrypted')
  if (!isEncrypted) throw error
  return 'encrypted'
}
