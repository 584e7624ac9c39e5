import { useEffect } from 'react'
import { offers } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import { origin } from '../../api/origin.ts'
import { type Live, startLive } from '../../listing/rows/live.ts'
import { folderDesk } from './folder-desk.ts'

/** Changes that come close together are fetched once. */
const settleMs = 300
/** A large folder is not fetched more often than this. */
const largeSettleMs = 4000
const largeRows = 20_000
const pollMs = 60_000

/** Keeps the open folder true while others change it. */
export function useLiveFolder(): void {
  useEffect(() => {
    const soon = createSoon()
    const stopAsking = askAgain(soon.now)
    const live = offers('events') ? follow(soon.later) : null
    const stopPolling = live === null ? poll() : (): void => undefined
    return () => {
      live?.()
      stopPolling()
      stopAsking()
      soon.stop()
    }
  }, [])
}

function follow(onChange: () => void): () => void {
  const live: Live = startLive({
    openSocket: () => new WebSocket(socketAddress()),
    later: (ms, run) => {
      const timer = setTimeout(run, ms)
      return () => clearTimeout(timer)
    },
    origin,
    onChange,
  })
  const watch = (): void => {
    const view = folderDesk.view.get()
    live.watch(view.kind === 'folder' ? view.path : null)
  }
  watch()
  const stop = folderDesk.view.subscribe(watch)
  return () => {
    stop()
    live.close()
  }
}

function socketAddress(): string {
  const address = new URL(href('events.open'), window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}

/** Asks when the user comes back and when the network does. */
function askAgain(reload: () => void): () => void {
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

function poll(): () => void {
  const timer = setInterval(() => {
    if (document.visibilityState === 'visible') reloadFolder()
  }, pollMs)
  return () => clearInterval(timer)
}

/** Only a folder is asked for by itself; a file on screen is left alone. */
function reloadFolder(): void {
  const { kind } = folderDesk.view.get()
  if (kind === 'folder' || kind === 'failed') folderDesk.reload()
}

/** Fetches the open folder again, once for all that happens within a moment. */
function createSoon(): {
  readonly later: () => void
  readonly now: () => void
  readonly stop: () => void
} {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    later: () => {
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
  const view = folderDesk.view.get()
  return view.kind === 'folder' && view.folder.columns.count > largeRows ? largeSettleMs : settleMs
}
