import { useEffect, useEffectEvent, useState } from 'react'

type UseOpenedOptions<Content> = {
  /** Differs for each content. Another key closes the content and opens the next one. Null opens nothing. */
  readonly key: string | null
  /** Opens the content. It is closed when the signal is aborted. */
  readonly open: (signal: AbortSignal) => Promise<Content>
  /** Called with the error when the content cannot be opened. May return what stands for the content then. */
  readonly onFailed: (error: unknown) => Content | void
}

/** Opens the content of a file, and closes it when the component is removed. Returns null while it is opened. */
export function useOpened<Content>({ key, open, onFailed }: UseOpenedOptions<Content>): Content | null {
  const [opened, setOpened] = useState<{ readonly key: string; readonly content: Content } | null>(null)
  const start = useEffectEvent(open)
  const fail = useEffectEvent(onFailed)
  useEffect(() => {
    if (key === null) return undefined
    const closing = new AbortController()
    const load = async (): Promise<void> => {
      const content = await start(closing.signal).catch((error: unknown) =>
        closing.signal.aborted ? undefined : fail(error),
      )
      if (content !== undefined && !closing.signal.aborted) setOpened({ key, content: content as Content })
    }
    void load()
    return () => {
      closing.abort()
      setOpened(null)
    }
  }, [key])
  return opened?.key === key ? opened.content : null
}

/** Calls a function when a signal is aborted, or at once when it already is. */
export function whenAborted(signal: AbortSignal, run: () => void): void {
  if (signal.aborted) run()
  else signal.addEventListener('abort', run, { once: true })
}
