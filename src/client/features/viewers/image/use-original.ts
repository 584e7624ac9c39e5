import { useEffect, useState } from 'react'

/** How far the original of an image has come: `loading` until it is decoded. */
export type OriginalState = 'none' | 'loading' | 'ready' | 'failed'

/**
 * Loads and decodes the original of an image when it is wanted, so that the smaller preview stays on screen meanwhile.
 * Decoding takes seconds for a very large image. The browser does it outside of the page's thread.
 */
export function useOriginal(address: string, isWanted: boolean): OriginalState {
  const [decoded, setDecoded] = useState<{ readonly address: string; readonly isGood: boolean } | null>(null)
  useEffect(() => {
    if (!isWanted) return undefined
    const image = new Image()
    let isOver = false
    const settle = (isGood: boolean): void => {
      if (!isOver) setDecoded({ address, isGood })
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
  }, [address, isWanted])
  if (!isWanted) return 'none'
  if (decoded?.address !== address) return 'loading'
  return decoded.isGood ? 'ready' : 'failed'
}
