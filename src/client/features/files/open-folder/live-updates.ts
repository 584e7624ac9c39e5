import type { ChangeMessage } from '../../../../shared/contract/events.ts'
import { nameOf, parentOf, type Path } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { origin } from '../../../api/origin.ts'
import { renewSession, renewSessionAfterChange } from '../../../api/renewal.ts'
import type { FolderView } from '../../../listing/rows/folder-loader.ts'
import {
  type ChangeFeed,
  type ChangeFeedDependencies,
  startChangeFeed,
} from '../../../listing/rows/change-feed.ts'
import { connection } from '../../../listing/rows/connection.ts'
import { sumOfSizesAndTimes } from '../../../listing/rows/sum-of-sizes-and-times.ts'
import { followedResults, resultsChanged } from '../../../listing/rows/followed-results.ts'
import { currentRows } from '../../../listing/rows/folder-rows.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import {
  followedFolderChanged,
  followedFolders,
  neighboursChanged,
  openFileChanged,
} from '../../../state/entry-changes.ts'
import { entryOfRow } from '../../../state/listed-entry.ts'
import { openFolder } from '../../../state/open-folder.ts'
import { createChangeQueue, type ChangeQueue } from './change-queue.ts'
import { addressLoader } from './address-loader.ts'
import { offerToFollow } from './offer-to-follow.ts'
import { receivingFolderOf } from './listed-folder.ts'
import { readChanges } from './read-changes.ts'
import { receiveChanges } from './receive-changes.ts'

/** From this number of changes on, reading the folder again takes less work. */
const maxChanges = 100
/**
 * The delay between a lost connection and the check whether the session has ended. The check is needed because the
 * server closes the sockets of an ended session.
 */
const sessionCheckMs = 500
/**
 * The interval at which the open folder is fetched again while there is no connection, as behind a proxy that lets no
 * sockets through. There, it is also fetched when the user returns to the page (ux 2.11).
 */
const pollMs = 60_000

/**
 * Shows the changes of the open folder as the server reports them. `reloadSoon` is called when the whole folder has to be
 * fetched again. Returns a function that stops.
 */
export function startLiveUpdates(reloadSoon: () => void): () => void {
  const incoming = collectChanges(reloadSoon)
  let watching: { readonly folder: Path; readonly modifiedMs: number; readonly sum: number | null } | null =
    null
  /** Reloads the folder when it, or one of its files, has changed between the response with its rows and the start of the watch. */
  const compareTimes = (): void => {
    const view = addressLoader.view.get()
    if (view.kind !== 'folder' || view.isArriving || watching?.folder !== view.path) return
    const { modifiedMs, columns } = view.folder
    const isOlder = modifiedMs !== undefined && modifiedMs < watching.modifiedMs
    const hasOtherFiles = watching.sum !== null && watching.sum !== sumOfSizesAndTimes(columns)
    if (columns.edits === 0 && (isOlder || hasOtherFiles)) reloadSoon()
    watching = null
  }
  const feed = startChangeFeed({
    openSocket: () => new WebSocket(socketAddress()),
    later,
    origin,
    onChange: (_folder, change) => {
      if (change !== 'missed') offerToFollow(change)
      if (addressLoader.view.get().kind === 'file') publishOpenFileChange(change)
      else if (change === 'missed') reloadSoon()
      else incoming.add(change)
    },
    onFollowed: publishFollowedChange,
    onOwnChange: incoming.addOwn,
    onWatching: (folder, modifiedMs, sum) => {
      watching = { folder, modifiedMs, sum }
      compareTimes()
    },
    onRights: () => void renewSessionAfterChange(),
    ...showConnection(),
  })
  const onView = (): void => {
    const view = addressLoader.view.get()
    feed.watch(watchedFolderOf(view))
    compareTimes()
  }
  onView()
  const stops = [addressLoader.view.subscribe(onView), followOtherFolders(feed), startPolling(reloadSoon)]
  addEventListener('offline', feed.disconnect)
  addEventListener('online', feed.reconnect)
  return () => {
    stops.forEach((stop) => stop())
    removeEventListener('offline', feed.disconnect)
    removeEventListener('online', feed.reconnect)
    incoming.stop()
    feed.close()
    connection.set('none')
  }
}

/** Fetches the open folder again at intervals while there is no connection. Returns the function that stops. */
function startPolling(reloadSoon: () => void): () => void {
  const poll = (): void => {
    if (connection.get() !== 'live' && document.visibilityState === 'visible') reloadSoon()
  }
  const onReturn = (): void => {
    if (connection.get() === 'polling') poll()
  }
  const timer = setInterval(poll, pollMs)
  addEventListener('focus', onReturn)
  document.addEventListener('visibilitychange', onReturn)
  return () => {
    clearInterval(timer)
    removeEventListener('focus', onReturn)
    document.removeEventListener('visibilitychange', onReturn)
  }
}

/**
 * The number of sockets in a row that could not be opened, although the server responds to requests, after which the page
 * says that it polls. The third one fails about 3 s after the first.
 */
const maxFailures = 3

/** Returns the functions that show the state of the connection, and that renew the session when it was lost. */
function showConnection(): Pick<ChangeFeedDependencies, 'onConnect' | 'onDisconnect'> {
  let wasLost = false
  let failures = 0
  async function checkSession(): Promise<void> {
    const hasResponded = await renewSession()
    if (!hasResponded && connection.get() === 'polling') connection.set('reconnecting')
    else if (hasResponded && failures >= maxFailures && connection.get() === 'reconnecting')
      connection.set('polling')
  }
  return {
    onConnect: () => {
      failures = 0
      connection.set('live')
      // The server does not report rights that changed while there was no connection.
      if (wasLost) void renewSessionAfterChange()
    },
    onDisconnect: () => {
      wasLost = true
      failures += 1
      if (!navigator.onLine) connection.set('offline')
      else if (connection.get() !== 'polling') connection.set('reconnecting')
      setTimeout(() => void checkSession(), sessionCheckMs)
    },
  }
}

/** Follows the folders that the sidebar and the search show, beside the open one. Returns the function that stops. */
function followOtherFolders(feed: Pick<ChangeFeed, 'follow'>): () => void {
  const onFollow = (): void => feed.follow([...new Set([...followedFolders.get(), ...followedResults.get()])])
  onFollow()
  const stops = [followedFolders.subscribe(onFollow), followedResults.subscribe(onFollow)]
  return () => stops.forEach((stop) => stop())
}

/**
 * Returns the folder to watch: the open folder, or the folder of the open file. A missing folder is watched too,
 * because it may be created again.
 */
function watchedFolderOf(view: FolderView): Path | null {
  if (view.kind === 'file') return parentOf(view.path)
  return view.kind === 'folder' || view.kind === 'failed' ? view.path : null
}

/** Publishes a change of the open file, or of the files beside it. */
function publishOpenFileChange(change: ChangeMessage | 'missed'): void {
  const view = addressLoader.view.get()
  if (view.kind !== 'file') return
  const { path } = view
  const isReload = change === 'missed' || change.kind === 'reload'
  if (isReload || change.path !== path) neighboursChanged.emit({ folder: parentOf(path) })
  if (!isReload && change.path !== path && change.to !== path) return
  const isRemoved =
    !isReload && change.path === path && (change.kind === 'removed' || change.kind === 'moved')
  openFileChanged.emit({ path, isRemoved })
}

/** Publishes a change of a followed folder to the search and, unless it leaves the names of the subfolders as they are, to the sidebar. */
function publishFollowedChange(folder: Path, change: ChangeMessage | 'missed'): void {
  if (followedResults.get().includes(folder)) resultsChanged.emit({ folder })
  if (!followedFolders.get().includes(folder)) return
  if (change === 'missed' || change.kind === 'reload')
    return followedFolderChanged.emit({ folder, change: null })
  const { kind, path, to, row } = change
  if (kind === 'written' || (row !== undefined && !entryOfRow(row).isFolder)) return
  const from = kind === 'removed' || kind === 'moved' ? (path as Path) : null
  followedFolderChanged.emit({
    folder,
    change: { from, to: from === null ? null : ((to ?? null) as Path | null) },
  })
}

function socketAddress(): string {
  const address = new URL(href('events.open'), window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return address.href
}

/** Collects the changes of the open folder that the server reports. */
function collectChanges(reloadSoon: () => void): ChangeQueue {
  let movedMs = Number.NEGATIVE_INFINITY
  const onMove = (): void => void (movedMs = performance.now())
  document.addEventListener('pointermove', onMove, { passive: true })
  const queue = createChangeQueue({
    later,
    nowMs: () => performance.now(),
    pointerMovedMs: () => movedMs,
    isHeld: () => folderListing.edited.get() !== null || document.querySelector('[role="menu"]') !== null,
    show: showChanges,
    hasRow: (path) => {
      const open = openFolder.get()
      return open?.folder === parentOf(path as Path) && open.has(nameOf(path as Path))
    },
    reloadSoon,
  })
  return {
    ...queue,
    stop: () => {
      queue.stop()
      document.removeEventListener('pointermove', onMove)
    },
  }
}

function later(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Shows changes in the rows of the open folder. Returns false when the folder has to be fetched again instead. */
function showChanges(changes: readonly ChangeMessage[]): boolean {
  const open = openFolder.get()
  const receiving = open === null ? null : receivingFolderOf(open)
  const view = addressLoader.view.get()
  if (view.kind === 'failed') return false
  if (open === null || receiving === null || view.kind !== 'folder' || view.path !== open.folder) return true
  // Rows in flight may be older or newer than the changes.
  if (view.isArriving || addressLoader.isWaiting.get() || changes.length > maxChanges) return false
  const rows = currentRows(view.folder.columns)
  const received = readChanges(changes, open.folder, (name) => rows.entryAt(rows.indexOfName(name)))
  if (received === null) return false
  receiveChanges(receiving, received)
  return true
}
