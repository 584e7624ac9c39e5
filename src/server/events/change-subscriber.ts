import type { ChangeMessage, WatchingMessage } from '../../shared/contract/events.ts'
import { parentOf, type Path } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import type { ChangedNames } from '../storage/folder-watcher.ts'
import type { Storage } from '../storage/port.ts'
import { readDiskChanges } from './disk-changes.ts'
import { readEntryState, type EntryState, type FileTypeReader } from './entry-state.ts'
import { fingerprintOf } from './fingerprint.ts'
import { folderKey, type FolderViewer, type FolderWatches } from './folder-watches.ts'
import { isDirectlyIn, translatePaths, visibleChangeOf } from './visible-change.ts'
import { rememberState, type WatchedFolder } from './watched-folder.ts'

/** The current scope and storage of a user. */
export type SubscriberAccess = { readonly scope: Path; readonly storage: Storage }

export type SubscriberDependencies = {
  readonly subscribe: (listener: (change: StorageChange) => void) => () => void
  /** Returns a user's current scope and storage; null when the user no longer exists or has an invalid scope. */
  readonly accessOf: (userId: number) => Promise<SubscriberAccess | null>
  readonly watches: FolderWatches
  readonly typeOf: FileTypeReader
  readonly onFault: (error: unknown) => void
}

/** The connection to a client, through which messages are sent. */
export type MessageOutlet = {
  readonly send: (message: Omit<ChangeMessage, 'id'>) => void
  /** Sends a message that has no id and is not repeated after a lost connection. */
  readonly sendStatus: (message: WatchingMessage) => void
}

/** Collects the changes in the folders that a client shows, as far as its user may see them. */
export type ChangeSubscriber = {
  readonly watch: (folders: ReadonlySet<Path>) => void
  readonly stop: () => void
}

type SubscriberState = {
  readonly dependencies: SubscriberDependencies
  readonly userId: number
  readonly outlet: MessageOutlet
  readonly folders: Map<Path, WatchedFolder>
  lastWork: Promise<void>
}

export function subscribeToFolders(
  dependencies: SubscriberDependencies,
  userId: number,
  outlet: MessageOutlet,
): ChangeSubscriber {
  const folders = new Map<Path, WatchedFolder>()
  const state: SubscriberState = { dependencies, userId, outlet, folders, lastWork: Promise.resolve() }
  const unsubscribe = dependencies.subscribe((change) => {
    if (folders.size > 0) enqueue(state, (access) => sendAnnounced(state, access, change))
  })
  return {
    watch(requested) {
      for (const [path, folder] of folders) {
        if (requested.has(path)) continue
        folders.delete(path)
        folder.release()
      }
      for (const path of requested) {
        if (folders.has(path)) continue
        const folder: WatchedFolder = { path, key: null, release: () => {}, sent: new Map() }
        folders.set(path, folder)
        enqueue(state, ({ storage }) => connect(state, storage, folder))
      }
    },
    stop() {
      unsubscribe()
      for (const folder of folders.values()) folder.release()
      folders.clear()
    },
  }
}

/** Runs work after all earlier work of the subscriber, with the access that the user has by then. */
function enqueue(state: SubscriberState, work: (access: SubscriberAccess) => Promise<void>): void {
  const { dependencies, userId } = state
  const workWithAccess = async (): Promise<void> => {
    const access = await dependencies.accessOf(userId)
    if (access !== null) await work(access)
  }
  state.lastWork = state.lastWork.then(workWithAccess).catch(dependencies.onFault)
}

const isShown = ({ folders }: SubscriberState, folder: WatchedFolder): boolean =>
  folders.get(folder.path) === folder

/** Connects a folder with the watch of the folder on disk to which its path leads now. */
async function connect(state: SubscriberState, storage: Storage, folder: WatchedFolder): Promise<void> {
  const { watches } = state.dependencies
  const local = await storage.localFolder(folder.path).catch(() => undefined)
  if (local === undefined || !isShown(state, folder)) return
  folder.release()
  folder.key = local === null ? null : folderKey(local)
  const viewer = viewerOf(state, folder)
  folder.release = local === null ? watches.poll(viewer) : watches.add(local, viewer)
}

const viewerOf = (state: SubscriberState, folder: WatchedFolder): FolderViewer => ({
  onStart: () => enqueue(state, ({ storage }) => sendWatching(state, storage, folder)),
  onChange: (names) =>
    enqueue(state, async ({ storage }) => {
      if (isShown(state, folder)) await sendDiskChanges(state, storage, { folder, names })
    }),
  fingerprint: async () => {
    const access = await state.dependencies.accessOf(state.userId)
    return access === null ? null : fingerprintOf(access.storage, folder.path)
  },
})

async function sendWatching(
  { outlet }: SubscriberState,
  storage: Storage,
  { path }: WatchedFolder,
): Promise<void> {
  const entry = await storage.stat(path).catch(() => null)
  if (entry === null) return
  outlet.sendStatus({ watching: path, modifiedMs: Math.floor(entry.modifiedMs) })
}

/** Sends the changes that the system has reported for a folder. */
async function sendDiskChanges(
  state: SubscriberState,
  storage: Storage,
  { folder, names }: { readonly folder: WatchedFolder; readonly names: ChangedNames },
): Promise<void> {
  const { dependencies, outlet } = state
  const local = await storage.localFolder(folder.path).catch(() => undefined)
  // The path may lead to another folder by now, and the user may not see the names in the folder of the message.
  const isSame = local !== undefined && (local === null ? null : folderKey(local)) === folder.key
  const changes =
    isSame && names !== null ? await readDiskChanges(dependencies, storage, { folder, names }) : null
  if (changes === null) {
    folder.sent.clear()
    outlet.send({ kind: 'reload', path: folder.path, origin: null })
  }
  for (const change of changes ?? []) outlet.send(change)
  if (!isSame) await connect(state, storage, folder)
}

/** Sends a change that was made through the server, if it is in a watched folder and the user may see it. */
async function sendAnnounced(
  { dependencies, folders, outlet }: SubscriberState,
  { scope, storage }: SubscriberAccess,
  change: StorageChange,
): Promise<void> {
  const { from, to } = translatePaths(change, scope)
  const shown = new Set(folders.keys())
  if (!isDirectlyIn(shown, from) && !isDirectlyIn(shown, to)) return
  const stateAt = async (path: Path | null): Promise<EntryState | null> =>
    path === null ? null : readEntryState(storage, path, dependencies.typeOf)
  const [fromState, toState] = [await stateAt(from), await stateAt(to)]
  const visible = visibleChangeOf(change.kind, visiblePath(from, fromState), visiblePath(to, toState))
  if (visible === null) return
  if (from !== null) rememberState(folders.get(parentOf(from)), from, fromState)
  if (to !== null) rememberState(folders.get(parentOf(to)), to, toState)
  const target = visible.to ?? visible.path
  const state = target === to ? toState : fromState
  const row = state?.kind === 'present' && isDirectlyIn(shown, target) ? state.row : undefined
  outlet.send({ ...visible, ...(row !== undefined && { row }), origin: change.origin })
}

/** Returns the path; null when the user's rules deny access to it. */
const visiblePath = (path: Path | null, state: EntryState | null): Path | null =>
  state === null || state.kind === 'denied' ? null : path
