import { clipboard, type ClipboardContent } from '../state/clipboard.ts'

type ClipboardMessage =
  /** Sent by a tab that was just opened. Tabs with a content answer with it. */
  { readonly kind: 'request' } | { readonly kind: 'content'; readonly content: ClipboardContent | null }

/** A connection between the tabs of a user. A message that one tab sends is received by all others. */
export type ClipboardChannel = {
  readonly send: (message: ClipboardMessage) => void
  readonly onMessage: (listener: (event: MessageEvent<ClipboardMessage>) => void) => void
  readonly close: () => void
}

/**
 * Keeps the clipboard equal in all tabs that are connected by the channel. Returns a function that disconnects this
 * tab.
 */
export function shareClipboard({ send, onMessage, close }: ClipboardChannel): () => void {
  let received: ClipboardContent | null = null
  onMessage(({ data }) => {
    if (data.kind === 'content') {
      received = data.content
      clipboard.set(data.content)
    } else if (clipboard.get() !== null) send({ kind: 'content', content: clipboard.get() })
  })
  const stop = clipboard.subscribe(() => {
    const content = clipboard.get()
    if (content !== received) send({ kind: 'content', content })
    received = content
  })
  send({ kind: 'request' })
  return () => {
    stop()
    close()
  }
}
