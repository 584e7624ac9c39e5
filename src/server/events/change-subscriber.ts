import type { ChangeMessage, WatchingMessage } from '../../shared/contract/events.ts'
import { isWithin, type Path } from '../../shared/domain/path.ts'
import type { ChangeObserver, ObservedChange } from '../changes/change.ts'
import { runLimited, type KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { localFolderOf } from '../storage/local-folder-of.ts'
import type { Storage } from '../storage/port.ts'
import { changesSince } from './changes-since.ts'
import { readDiskChanges } from './disk-changes.ts'
import { readEntryState, type EntryState, type FileTypeReader } from './entry-state.ts'
import { absent, fingerprintOf, sumOfSizesAndTimes } from './fingerprint.ts'
import { folderKey, type FolderPollViewer, type FolderViewer, type FolderWatches } from './folder-watches.ts'
import { containsAny, isDirectlyIn, translatePaths, visibleChangeOf } from './visible-change.ts'
import { reportNames, type SentStates, type WatchedFolder } from './watched-folder.ts'
import { createWorkQueue, type WorkQueue } from './work-queue.ts'

/** The current scope and storage of a user. The key is different after the rights of the user have changed. */
export type SubscriberAccess = { readonly key: string; readonly scope: Path; readonly storage: Storage }

export type SubscriberDependencies = {
  readonly observe: (observer: ChangeObserver) => () => void
  /** Returns a user's current access; null when the user no longer exists, is disabled or has an invalid scope. */
  readonly accessOf: (userId: number) => Promise<SubscriberAccess | null>
  /** Returns the key of a user's current access without waiting for a disk, or null when the user has no access. */
  readonly accessKeyOf: (userId: number) => Promise<string | null>
  readonly watches: FolderWatches
  readonly typeOf: FileTypeReader
  readonly newSentStates: () => SentStates
  /** Limits the work that is done at the same time for the clients of one user. */
  readonly limiter: KeyedLimiter
  readonly onFault: (error: unknown) => void
}

/** The connection to a client, through which messages are sent. */
export type MessageOutlet = {
  /** Sends a message that contains what the access with this key permits to know. */
  readonly send: (message: Omit<ChangeMessage, 'id'>, accessKey: string) => void
  /** Sends a message that has no id and is not repeated after a lost connection. */
  readonly sendStatus: (message: WatchingMessage) => void
}

/** Collects the changes in the folders that a client shows, as far as its user may see them. */
export type ChangeSubscriber = {
  readonly watch: (folders: ReadonlySet<Path>) => void
  /** Tells the client to read its folders again when the access of its user has changed. */
  readonly checkAccess: () => void
  readonly stop: () => void
}

/**
 * The number of changes that wait for one client. Beyond it, the client reads its folders again, which is less work for
 * both sides.
 */
const maxWaitingChanges = 100

type SubscriberState = {
  readonly dependencies: SubscriberDependencies
  readonly userId: number
  readonly outlet: MessageOutlet
  readonly folders: Map<Path, WatchedFolder>
  readonly sent: SentStates
  /** The changes that were made through a server and wait to be sent, oldest first. */
  announced: ObservedChange[]
  /** The key of the access with which the folders were connected. Null before the first work. */
  accessKey: string | null
  readonly queue: WorkQueue
}

/** The kinds of work for one folder. Work of each kind waits at most once. */
const folderWork = ['connect', 'reconnect', 'report', 'read'] as const
type FolderWork = (typeof folderWork)[number]

export function subscribeToFolders(
  dependencies: SubscriberDependencies,
  userId: number,
  outlet: MessageOutlet,
): ChangeSubscriber {
  const folders = new Map<Path, WatchedFolder>()
  const state: SubscriberState = {
    dependencies,
    userId,
    outlet,
    folders,
    sent: dependencies.newSentStates(),
    announced: [],
    accessKey: null,
    queue: createWorkQueue(dependencies.onFault),
  }
  const unsubscribe = dependencies.observe({
    onChange(change) {
      if (folders.size > 0) addAnnounced(state, change)
    },
    onLoss() {
      if (folders.size > 0) reconnectAll(state)
    },
  })
  return {
    watch(requested) {
      for (const folder of folders.values()) if (!requested.has(folder.path)) leaveFolder(state, folder)
      for (const path of requested) {
        if (folders.has(path)) continue
        const folder: WatchedFolder = { path, isNew: true, key: null, reported: null, release: () => {} }
        folders.set(path, folder)
        enqueueFor(state, { kind: 'connect', folder }, (access) => connect(state, access, folder))
      }
    },
    checkAccess() {
      if (folders.size > 0) enqueue(state, 'access', async () => {})
    },
    stop() {
      unsubscribe()
      for (const folder of folders.values()) leaveFolder(state, folder)
      state.announced = []
      state.queue.clear()
      state.sent.end()
    },
  }
}

/** Stops watching a folder, and removes the work that waits for it. */
function leaveFolder({ folders, queue, sent }: SubscriberState, folder: WatchedFolder): void {
  folders.delete(folder.path)
  folder.release()
  sent.forget(folder.path)
  for (const kind of folderWork) queue.remove(folderWorkKey(kind, folder))
}

const folderWorkKey = (kind: FolderWork, { path }: WatchedFolder): string => `${kind} ${path}`

type AccessWork = (access: SubscriberAccess) => Promise<void>

/** Runs work after the work that waits already, with the access that the user has by then. */
function enqueue(state: SubscriberState, key: string, work: AccessWork): void {
  const { dependencies, userId } = state
  state.queue.add(key, () =>
    runLimited({ limiter: dependencies.limiter, key: userId }, async () => {
      const access = await dependencies.accessOf(userId)
      if (access === null) return
      await adoptAccess(state, access)
      await work(access)
    }),
  )
}

/** Runs work for a folder, unless the client does not show the folder any more. */
function enqueueFor(
  state: SubscriberState,
  { kind, folder }: { readonly kind: FolderWork; readonly folder: WatchedFolder },
  work: AccessWork,
): void {
  if (isShown(state, folder)) enqueue(state, folderWorkKey(kind, folder), work)
}

/** Adds a change to those that wait. When too many wait, the client is told to read all its folders again instead. */
function addAnnounced(state: SubscriberState, change: ObservedChange): void {
  if (state.announced.length >= maxWaitingChanges) return reconnectAll(state)
  state.announced.push(change)
  enqueueNextAnnounced(state)
}

/** Drops the changes that wait, and tells the client to read all its folders again. */
function reconnectAll(state: SubscriberState): void {
  state.announced = []
  enqueue(state, 'all', async (access) => {
    for (const folder of state.folders.values()) await reconnect(state, access, folder)
  })
}

const enqueueNextAnnounced = (state: SubscriberState): void =>
  enqueue(state, 'announced', async (access) => {
    const change = state.announced.shift()
    if (state.announced.length > 0) enqueueNextAnnounced(state)
    if (change !== undefined) await sendAnnounced(state, access, change)
  })

/** Connects all folders again when the user's rights have changed. Their paths may lead to other folders by now. */
async function adoptAccess(state: SubscriberState, access: SubscriberAccess): Promise<void> {
  const hasChanged = state.accessKey !== null && state.accessKey !== access.key
  state.accessKey = access.key
  if (!hasChanged) return
  for (const folder of state.folders.values()) await reconnect(state, access, folder)
}

/**
 * Sends changes that were read with an access. They are not sent when the user's rights have changed while the disk was
 * read: the client then reads its folders again.
 */
async function sendChanges(
  state: SubscriberState,
  { key }: SubscriberAccess,
  changes: readonly Omit<ChangeMessage, 'id'>[],
): Promise<void> {
  const { dependencies, userId, outlet } = state
  if (changes.length === 0) return
  if ((await dependencies.accessKeyOf(userId)) === key) for (const change of changes) outlet.send(change, key)
  else enqueue(state, 'access', async () => {})
}

const isShown = ({ folders }: SubscriberState, folder: WatchedFolder): boolean =>
  folders.get(folder.path) === folder

/** Finds the folder on disk to which a watched path leads now, and subscribes to its changes. */
async function connect(
  state: SubscriberState,
  { storage }: SubscriberAccess,
  folder: WatchedFolder,
): Promise<void> {
  const { watches } = state.dependencies
  const local = await localFolderOf(storage, folder.path).catch(() => undefined)
  if (!isShown(state, folder)) return
  folder.release()
  folder.key = local === null || local === undefined ? null : folderKey(local)
  const viewer = viewerOf(state, folder)
  if (local === undefined) folder.release = watches.poll(appearanceViewerOf(state, folder), absent)
  else folder.release = local === null ? watches.poll(viewer) : watches.add(local, viewer)
}

/**
 * Tells the client to read a folder again, and watches the folder that its path leads to now, which may be another
 * one.
 */
async function reconnect(
  state: SubscriberState,
  access: SubscriberAccess,
  folder: WatchedFolder,
): Promise<void> {
  if (!isShown(state, folder)) return
  state.sent.forget(folder.path)
  folder.isNew = false
  state.outlet.send({ kind: 'reload', path: folder.path, origin: null }, access.key)
  await connect(state, access, folder)
}

/** A sum that no listing has. A client that still shows the rows of a folder that has disappeared reads it again. */
const sumOfAbsent = -1

/** Returns a viewer that waits until a folder exists, or until the user may see it. */
const appearanceViewerOf = (state: SubscriberState, folder: WatchedFolder): FolderPollViewer => ({
  onStart: () => reportAbsence(state, folder),
  onChange: () =>
    enqueueFor(state, { kind: 'reconnect', folder }, (access) => reconnect(state, access, folder)),
  fingerprint: async () =>
    withStorage(state, (storage) =>
      localFolderOf(storage, folder.path).then(
        () => 'present',
        () => absent,
      ),
    ),
})

const viewerOf = (
  state: SubscriberState,
  folder: WatchedFolder,
  key: string | null = folder.key,
): FolderViewer => ({
  onStart: () =>
    enqueueFor(state, { kind: 'report', folder }, ({ storage }) => sendWatching(state, storage, folder)),
  onChange: (names) => {
    reportNames(folder, key, names)
    enqueueFor(state, { kind: 'read', folder }, (access) => sendDiskChanges(state, access, folder))
  },
  onGone: () =>
    enqueueFor(state, { kind: 'reconnect', folder }, (access) => reconnect(state, access, folder)),
  fingerprint: async () => withStorage(state, (storage) => fingerprintOf(storage, folder.path)),
  accessKey: async () => {
    const key = await state.dependencies.accessKeyOf(state.userId)
    return key === null ? null : `${key} ${folder.path}`
  },
})

/** Reads from the storage of the user. Returns null while the user has no access. */
const withStorage = <T>(
  { dependencies, userId }: SubscriberState,
  read: (storage: Storage) => Promise<T>,
): Promise<T | null> =>
  runLimited({ limiter: dependencies.limiter, key: userId }, async () => {
    const access = await dependencies.accessOf(userId)
    return access === null ? null : read(access.storage)
  })

/** Tells a client that a folder has disappeared after the client has read it. */
function reportAbsence({ outlet }: SubscriberState, { path, isNew }: WatchedFolder): void {
  if (isNew) outlet.sendStatus({ watching: path, modifiedMs: 0, sum: sumOfAbsent })
}

async function sendWatching(state: SubscriberState, storage: Storage, folder: WatchedFolder): Promise<void> {
  const { outlet } = state
  const { path } = folder
  const entry = await storage.stat(path).catch(() => null)
  // The folder may have been deleted after its watch was requested. Its watch then never reports that it is gone.
  if (entry === null) return reportAbsence(state, folder)
  const sum = await sumOfSizesAndTimes(storage, path)
  outlet.sendStatus({
    watching: path,
    modifiedMs: Math.floor(entry.modifiedMs),
    ...(sum !== null && { sum }),
  })
}

/** Sends the changes that the system has reported for a folder. */
async function sendDiskChanges(
  state: SubscriberState,
  access: SubscriberAccess,
  folder: WatchedFolder,
): Promise<void> {
  const { sent, dependencies } = state
  const { reported, path, key } = folder
  folder.reported = null
  // The path may be connected with another folder by now, whose viewers must not learn these names.
  if (reported === null || reported.key !== key) return
  const { storage } = access
  const local = await localFolderOf(storage, path).catch(() => undefined)
  // The path may lead to another folder by now, and the user may not see the names in the folder of the message.
  const isSame = local !== undefined && (local === null ? null : folderKey(local)) === key
  const names = isSame && reported.names !== null ? [...reported.names.values()] : null
  const changes =
    names === null ? null : await readDiskChanges(dependencies, storage, { folder: { path, sent }, names })
  if (changes === null) sent.forget(path)
  await sendChanges(state, access, changes ?? [{ kind: 'reload', path, origin: null }])
  if (!isSame) await connect(state, access, folder)
}

/** Sends a change that was made through a server, if it is in a watched folder and the user may see it. */
async function sendAnnounced(
  subscriber: SubscriberState,
  access: SubscriberAccess,
  change: ObservedChange,
): Promise<void> {
  const { dependencies, folders, sent, userId } = subscriber
  const { scope, storage } = access
  const { from, to } = translatePaths(change, scope)
  const shown = new Set(folders.keys())
  const isListed = isDirectlyIn(shown, from) || isDirectlyIn(shown, to)
  const isFollowable = change.kind === 'moved' && to !== null && containsAny(from, shown)
  if (!isListed && !isFollowable) return
  if (isFollowable && from !== null) await reconnectBelow(subscriber, access, from)
  const stateAt = async (path: Path | null): Promise<EntryState | null> =>
    path === null ? null : readEntryState(storage, path, dependencies.typeOf)
  const [fromState, toState] = [await stateAt(from), await stateAt(to)]
  const visible = visibleChangeOf(change.kind, visiblePath(from, fromState), visiblePath(to, toState))
  // The watch of a folder reports that it has disappeared, so a move to a place that is hidden is not sent.
  if (visible === null || (!isListed && visible.kind !== 'moved')) return
  if (isDirectlyIn(shown, from) && from !== null) sent.remember(from, fromState)
  if (isDirectlyIn(shown, to) && to !== null) sent.remember(to, toState)
  const target = visible.to ?? visible.path
  const state = target === to ? toState : fromState
  const hasRow = visible.kind !== 'removed' && isDirectlyIn(shown, target)
  const row = hasRow && state?.kind === 'present' ? state.row : undefined
  // The origin identifies a client, which only the other clients of its user may know.
  const origin = change.userId === userId ? change.origin : null
  const message = { ...visible, ...(row !== undefined && { row }), origin }
  const read = [
    { path: from, state: fromState },
    { path: to, state: toState },
  ]
  const later = changesSince(visible, read).filter(({ path }) => isDirectlyIn(shown, path as Path))
  await sendChanges(subscriber, access, [message, ...later])
}

/**
 * Reconnects the watched folders below a folder that was moved. Their own watches do not notice it. A client that watches
 * a denied path is not told.
 */
async function reconnectBelow(state: SubscriberState, access: SubscriberAccess, moved: Path): Promise<void> {
  for (const folder of state.folders.values()) {
    if (folder.path === moved || !isWithin(folder.path, moved)) continue
    const now = await readEntryState(access.storage, folder.path, state.dependencies.typeOf)
    if (now.kind !== 'denied') await reconnect(state, access, folder)
  }
}

/** Returns the path; null when the user's rules deny access to it. */
const visiblePath = (path: Path | null, state: EntryState | null): Path | null =>
  state === null || state.kind === 'denied' ? null : path
