import { useEffect, useRef } from 'react'
import { offers } from '../../../api/config.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { session } from '../../../state/session.ts'
import { useStore } from '../../../state/store.ts'
import { filesAfterRows } from '../parts/load-after-rows.ts'
import { addressLoader } from './address-loader.ts'

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
/** The interval at which the open folder is fetched again when the server has no change feed (ux 2.11). */
const pollMs = 60_000
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

/**
 * Starts live updates. Their code is loaded after the first rows are on screen. When it cannot be loaded, the folder is
 * polled. Returns a function that stops.
 */
function subscribeToChanges(reloadSoon: () => void): () => void {
  let isStopped = false
  let stop: (() => void) | null = null
  const start = async (): Promise<void> => {
    await untilShown()
    if (isStopped) return
    const updates = await filesAfterRows.load().catch(() => null)
    if (!isStopped) stop = updates === null ? startPolling() : updates.startLiveUpdates(reloadSoon)
  }
  void start()
  return () => {
    isStopped = true
    stop?.()
  }
}

/** Resolves when the rows of a folder, a file or an error are on screen. */
const untilShown = (): Promise<void> =>
  new Promise((resolve) => {
    const { view } = addressLoader
    const check = (): void => {
      const { kind } = view.get()
      if (kind === 'blank' || kind === 'loading') return
      stop()
      resolve()
    }
    const stop = view.subscribe(check)
    check()
  })

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
  const { kind } = addressLoader.view.get()
  if (kind === 'folder' || kind === 'failed') addressLoader.reload()
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
  const soon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      now()
    }, delayMs())
  }
  /** While a name is edited in its row, the row has to stay, so the reload waits. */
  const now = (): void => (folderListing.edited.get() === null ? reloadFolder() : soon())
  return { soon, now, stop: () => clearTimeout(timer) }
}

function delayMs(): number {
  const view = addressLoader.view.get()
  return view.kind === 'folder' && view.folder.columns.count > largeRows ? largeSettleMs : settleMs
}
