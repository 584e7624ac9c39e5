import { useEffect, useRef } from 'react'
import { offers } from '../../../api/config.ts'
import { href } from '../../../api/href.ts'
import { origin } from '../../../api/origin.ts'
import { renewSession } from '../../../api/renewal.ts'
import { type ChangeFeed, startChangeFeed } from '../../../listing/rows/change-feed.ts'
import { session } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { folderLoader } from './folder-loader.ts'

/**
 * The delay between a change and the reload of the folder. One reload covers all changes that occur during the delay.
 */
const settleMs = 300
/**
 * The delay for a folder with more than `largeRows` rows, whose listing takes more work on the server and in the
 * browser.
 */
const largeSettleMs = 4000
const largeRows = 20_000
/** How often the open folder is fetched again when the server has no change feed (ux 2.11). */
const pollMs = 60_000
/**
 * The delay between a lost connection and the check whether the session has ended. The check is needed because the
 * server closes the sockets of an ended session.
 */
const sessionCheckMs = 500

/**
 * Reloads the open folder when somebody else changes it, when the user returns to the tab, and when the network is
 * available again. Pauses while the session has ended, and reloads when the user has logged in again.
 */
export function useLiveFolder(): void {
  const isSignedIn = useStore(session).kind === 'user'
  const hasPaused = useRef(false)
  useEffect(() => {
    if (!isSignedIn) {
      hasPaused.current = true
      return undefined
    }
    const reloader = createReloader()
    if (hasPaused.current) reloader.now()
    hasPaused.current = false
    const stopListening = reloadOnReturn(reloader.now)
    const stopUpdates = offers('events') ? subscribeToChanges(reloader.soon) : startPolling()
    return () => {
      stopUpdates()
      stopListening()
      reloader.stop()
    }
  }, [isSignedIn])
}

function subscribeToChanges(onChange: () => void): () => void {
  const feed: ChangeFeed = startChangeFeed({
    openSocket: () => new WebSocket(socketAddress()),
    later: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    origin,
    onChange,
    onDisconnect: () => setTimeout(() => void renewSession(), sessionCheckMs),
  })
  const watch = (): void => {
    const view = folderLoader.view.get()
    feed.watch(view.kind === 'folder' ? view.path : null)
  }
  watch()
  const stop = folderLoader.view.subscribe(watch)
  return () => {
    stop()
    feed.close()
  }
}

function socketAddress(): string {
  const address = new URL(href('events.open'), window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}

/**
 * Calls `reload` when the tab becomes visible and when the network is available again. Returns a function that removes
 * the listeners.
 */
function reloadOnReturn(reload: () => void): () => void {
  const onReturn = (): void => {
    if (document.visibilityState === 'visible') reload()
  }
  document.addEventListener('visibilitychange', onReturn)
  addEventListener('online', reload)
  return () => {
    document.removeEventListener('visibilitychange', onReturn)
    removeEventListener('online', reload)
  }
}

function startPolling(): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') reloadFolder()
  }, pollMs)
  return () => clearInterval(timer)
}

/**
 * Fetches the open folder again. Does nothing while a file is open, so that the file view does not change while the
 * user reads it.
 */
function reloadFolder(): void {
  const { kind } = folderLoader.view.get()
  if (kind === 'folder' || kind === 'failed') folderLoader.reload()
}

/**
 * Returns functions that reload the open folder: `soon` reloads after a delay and merges all calls during the delay
 * into one reload. `now` reloads immediately.
 */
function createReloader(): {
  readonly soon: () => void
  readonly now: () => void
  readonly stop: () => void
} {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = undefined
        reloadFolder()
      }, delayMs())
    },
    now: reloadFolder,
    stop: () => clearTimeout(timer),
  }
}

function delayMs(): number {
  const view = folderLoader.view.get()
  return view.kind === 'folder' && view.folder.columns.count > largeRows ? largeSettleMs : settleMs
}
