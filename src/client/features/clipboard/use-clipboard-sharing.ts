import { useEffect } from 'react'
import { config } from '../../api/config.ts'
import { shareClipboard } from '../../operations/share-clipboard.ts'

/** Shares the clipboard with the user's other tabs of this instance. Instances on one host differ in their base path. */
export function useClipboardSharing(userId: number | null): void {
  useEffect(() => {
    if (userId === null) return undefined
    const channel = new BroadcastChannel(`stowage clipboard ${config().BaseURL} ${userId}`)
    return shareClipboard({
      send: channel.postMessage.bind(channel),
      onMessage: (listener) => channel.addEventListener('message', listener),
      close: () => channel.close(),
    })
  }, [userId])
}
