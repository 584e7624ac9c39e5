import { useEffect, useState } from 'react'

/** The loading state of the original of an image: `loading` until it is decoded. */
export type OriginalState = 'none' | 'loading' | 'ready' | 'failed'

/** A load of an original: its address, and the number of the attempt. */
type OriginalRequest = { readonly address: string; readonly attempt: number; readonly isWanted: boolean }

/**
 * Loads and decodes the original of an image when it is wanted, so that the smaller preview stays on screen meanwhile.
 * Decoding takes seconds for a very large image. The browser does it outside of the page's thread. The
 * next attempt loads an original again that failed, for example because the connection was lost.
 */
export function useOriginal({ address, attempt, isWanted }: OriginalRequest): OriginalState {
  const [decoded, setDecoded] = useState<{
    readonly address: string
    readonly attempt: number
    readonly isGood: boolean
  } | null>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    const image = new Image()
    let isOver = false
    const settle = (isGood: boolean): void => {
      if (!isOver) setDecoded({ address, attempt, isGood })
    }
    image.src = address
    image.decode().then(
      () => settle(true),
      () => settle(false),
    )
    return () => {
      isOver = true
      // Ends the download.
      image.src = ''
    }
  }, [address, attempt, isWanted])
  if (!isWanted) return 'none'
  if (decoded?.address !== address || decoded.attempt !== attempt) return 'loading'
  return decoded.isGood ? 'ready' : 'failed'
}
