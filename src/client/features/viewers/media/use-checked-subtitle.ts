import { useEffect, useState } from 'react'

/**
 * The largest number of cues of a subtitle. A film has about 2,000. Browsers compare all cues of a moment with each other in
 * the thread of the page: 400,000 cues for the same moment stop it.
 */
const maxCues = 20_000

type CheckedSubtitle = {
  /** The URL of the subtitle after its size has been checked, or undefined before that. */
  readonly url: string | undefined
  readonly isRefused: boolean
}

/** Loads a subtitle in WebVTT, and checks the number of its cues. */
export function useCheckedSubtitle(address: string | undefined): CheckedSubtitle {
  const [loaded, setLoaded] = useState<(CheckedSubtitle & { readonly address: string }) | null>(null)
  useEffect(() => {
    if (address === undefined) return undefined
    const abort = new AbortController()
    let url: string | undefined
    const load = async (): Promise<void> => {
      const response = await fetch(address, { signal: abort.signal })
      const text = response.ok ? await response.text() : null
      abort.signal.throwIfAborted()
      if (text !== null && text.split('-->').length <= maxCues + 1)
        url = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }))
      setLoaded({ address, url, isRefused: url === undefined })
    }
    load().catch(() => {
      if (!abort.signal.aborted) setLoaded({ address, url: undefined, isRefused: true })
    })
    return () => {
      abort.abort()
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [address])
  return loaded !== null && loaded.address === address ? loaded : { url: undefined, isRefused: false }
}
