import { useEffect, useState } from 'react'
import { useWorker } from '../rows/use-worker.ts'
import type { ViewedFile } from '../viewer.ts'
import type { TiffCommand, TiffMessage } from './tiff-messages.ts'
import tiffWorker from './tiff-worker.ts?worker&url'

/** A page of an open TIFF. `part` is its decoded part, between 0 and 1. */
export type TiffPage =
  | { readonly kind: 'decoding'; readonly part: number }
  | { readonly kind: 'decoded'; readonly address: string }
  | { readonly kind: 'failed'; readonly isDamaged: boolean }

type OpenTiffFile = {
  /** The number of pages that have been found, or 0 until the first one is. */
  readonly pages: number
  readonly page: TiffPage
}

const nothing: TiffPage = { kind: 'decoding', part: 0 }

/** Decodes a page of a TIFF in a worker, which ends when the component is removed. */
export function useTiff(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  number: number,
): OpenTiffFile {
  const [pages, setPages] = useState(0)
  const [last, setLast] = useState<{ readonly number: number | null; readonly page: TiffPage } | null>(null)
  const onReply = (message: TiffMessage): void => {
    if (message.kind === 'opened') setPages(message.pages)
    else setLast({ number: message.page, page: pageOf(message) })
  }
  const send: (command: TiffCommand) => void = useWorker(tiffWorker, {
    onReply: (data) => onReply(data as TiffMessage),
    onBroken: () => onReply({ kind: 'failed', page: null, isDamaged: false }),
  })
  useEffect(() => send({ kind: 'open', address, sizeBytes }), [send, address, sizeBytes])
  useEffect(() => send({ kind: 'decode', page: number }), [send, number])
  const url = last?.page.kind === 'decoded' ? last.page.address : null
  useEffect(() => {
    if (url === null) return undefined
    return () => URL.revokeObjectURL(url)
  }, [url])
  const isCurrent = last !== null && (last.number === null || last.number === number)
  return { pages, page: isCurrent ? last.page : nothing }
}

function pageOf(message: Exclude<TiffMessage, { readonly kind: 'opened' }>): TiffPage {
  if (message.kind === 'progress') return { kind: 'decoding', part: message.part }
  if (message.kind === 'failed') return { kind: 'failed', isDamaged: message.isDamaged }
  return { kind: 'decoded', address: URL.createObjectURL(message.image) }
}
