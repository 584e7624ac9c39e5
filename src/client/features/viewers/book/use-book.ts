import { useEffect, useEffectEvent, useState } from 'react'
import type { ViewedFile } from '../viewer.ts'
import { damagedReasonOf } from '../zip/damaged-reason-of.ts'
import { ZipError } from '../zip/zip-error.ts'
import { type Book, EncryptedBookError, openBook } from './book.ts'

/** Opens a book. Returns null while it is opened, and `encrypted` for a book that only the seller's program can show. */
export function useBook(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  onBroken: (reason?: string) => void,
): Book | 'encrypted' | null {
  const [book, setBook] = useState<Book | 'encrypted' | null>(null)
  const reportBroken = useEffectEvent(onBroken)
  useEffect(() => {
    const abort = new AbortController()
    const open = async (): Promise<void> => {
      const opened = await openBook({ address, sizeBytes }, abort.signal)
      if (!abort.signal.aborted) setBook(opened)
    }
    open().catch((error: unknown) => {
      if (abort.signal.aborted) return
      const isEncrypted =
        error instanceof EncryptedBookError || (error instanceof ZipError && error.fault === 'encrypted')
      if (isEncrypted) setBook('encrypted')
      else reportBroken(damagedReasonOf(error))
    })
    return () => abort.abort()
  }, [address, sizeBytes])
  return book
}
