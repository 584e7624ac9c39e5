import type { ChangedNames, FolderVersions, FolderWatch, FolderWatcher } from '../storage/folder-watcher.ts'
import type { DiskIdentity, LocalFolder } from '../storage/local-disk.ts'
import type { Timer } from '../concurrency/later.ts'
import { startPolling } from './folder-polling.ts'

/** A client that shows a folder and learns of its changes. */
export type FolderViewer = {
  /** Called when changes are noticed from now on. May be called more than once. */
  readonly onStart: () => void
  readonly onChange: (names: ChangedNames) => void
  /** Called when the folder was deleted or moved. The viewer no longer has a watch, and may add itself again. */
  readonly onGone: () => void
  /** Returns a text that is different after the folder has changed, or null when it cannot be read at the moment. */
  readonly fingerprint: () => Promise<string | null>
  /** Returns a text that is equal for viewers with equal fingerprints, or null while the viewer has no access. */
  readonly accessKey: () => Promise<string | null>
}

/** A client that learns of the changes of a folder that is polled. */
export type FolderPollViewer = Omit<FolderViewer, 'onGone' | 'accessKey'>

/** The watches of all folders that clients show. Clients that show the same folder share one watch. */
export type FolderWatches = FolderVersions & {
  /** Adds a viewer of a folder. The returned function removes the viewer, and with the last viewer the watch. */
  readonly add: (folder: LocalFolder, viewer: FolderViewer) => () => void
  /**
   * Polls a folder that the watcher cannot watch. A change is reported when the fingerprint differs from the last one,
   * which at first is the given one. The returned function stops.
   */
  readonly poll: (viewer: FolderPollViewer, lastFingerprint?: string) => () => void
}

export type FolderWatchesDependencies = { readonly watcher: FolderWatcher; readonly later: Timer }

type SharedWatch = {
  readonly viewers: Set<FolderViewer>
  hasStarted: boolean
  version: FolderWatch['version']
  stop: () => void
  /** Checks the folder immediately, because it has a new viewer. Does nothing while the folder is not polled. */
  look: () => void
}

/** A folder is polled when the system needs longer than this to watch it, in milliseconds. Its disk may be hanging. */
const maxStartMs = 2000

/** Identifies a folder on disk, whatever path leads to it. */
export const folderKey = ({ dev, ino }: DiskIdentity): string => `${dev}:${ino}`

export function createFolderWatches(dependencies: FolderWatchesDependencies): FolderWatches {
  const watches = new Map<string, SharedWatch>()

  /** Stops a watch. A newer watch of a folder with the same inode is kept. */
  function remove(key: string, watch: SharedWatch): void {
    if (watches.get(key) === watch) watches.delete(key)
    watch.stop()
  }

  return {
    add(folder, viewer) {
      const key = folderKey(folder)
      const watch = watches.get(key) ?? newWatch()
      watch.viewers.add(viewer)
      if (watch.hasStarted) viewer.onStart()
      watch.look()
      if (!watches.has(key)) {
        watches.set(key, watch)
        startWatch(dependencies, folder, { watch, onGone: () => remove(key, watch) })
      }
      return () => {
        if (watch.viewers.delete(viewer) && watch.viewers.size === 0) remove(key, watch)
      }
    },
    poll: (viewer, lastFingerprint) =>
      startPolling({
        ...viewer,
        onChange: () => viewer.onChange(null),
        lastFingerprint,
        later: dependencies.later,
      }),
    versionOf: async (folder) => watches.get(folderKey(folder))?.version() ?? null,
    count: () => watches.size,
  }
}

const newWatch = (): SharedWatch => ({
  viewers: new Set(),
  hasStarted: false,
  version: async () => null,
  stop: () => {},
  look: () => {},
})

/**
 * Starts a watch of a folder. The folder is polled while the system does not report its changes: on network file systems, when
 * the kernel's limit of watches is reached, and when the disk does not answer.
 */
function startWatch(
  { watcher, later }: FolderWatchesDependencies,
  folder: LocalFolder,
  { watch, onGone }: { readonly watch: SharedWatch; readonly onGone: () => void },
): void {
  const { viewers } = watch
  const start = (): void => {
    watch.hasStarted = true
    for (const viewer of viewers) viewer.onStart()
  }
  const notify = (names: ChangedNames): void => {
    for (const viewer of viewers) viewer.onChange(names)
  }
  let stopPolling = later(maxStartMs, () => poll())
  const fingerprints = createFingerprints(viewers)
  function poll(): void {
    stopPolling()
    watch.look = poll
    stopPolling = startPolling({
      fingerprint: fingerprints.read,
      onStart: start,
      onChange: () => fingerprints.changedViewers().forEach((viewer) => viewer.onChange(null)),
      later,
    })
  }
  const folderWatch = watcher.watch(folder, {
    onStart() {
      stopPolling()
      watch.look = () => {}
      start()
    },
    onChange: notify,
    onGone() {
      onGone()
      const former = [...viewers]
      viewers.clear()
      for (const viewer of former) viewer.onGone()
    },
    onEnd() {
      poll()
      if (watch.hasStarted) notify(null)
    },
  })
  watch.version = folderWatch.version
  watch.stop = () => {
    stopPolling()
    folderWatch.stop()
  }
}

/**
 * Reads the fingerprints of a folder with the rights of all its viewers, because rules may hide different entries from
 * them. Viewers with the same access share one fingerprint.
 */
function createFingerprints(viewers: ReadonlySet<FolderViewer>): {
  /** Returns a text that is different after a fingerprint has changed, or null when no viewer can read the folder. */
  readonly read: () => Promise<string | null>
  /** Returns the viewers whose fingerprint has changed between the two latest readings. */
  readonly changedViewers: () => readonly FolderViewer[]
} {
  let last: ReadonlyMap<string, string> = new Map()
  let changed: readonly FolderViewer[] = []
  async function read(): Promise<string | null> {
    const byAccess = new Map<string, { readonly viewers: FolderViewer[]; readonly now: string | null }>()
    for (const viewer of viewers) {
      const access = await viewer.accessKey()
      if (access === null) continue
      const group = byAccess.get(access) ?? { viewers: [], now: await viewer.fingerprint() }
      group.viewers.push(viewer)
      byAccess.set(access, group)
    }
    const groups = [...byAccess]
    const hasChanged = (access: string, now: string | null): boolean =>
      now !== null && last.has(access) && last.get(access) !== now
    changed = groups.flatMap(([access, group]) => (hasChanged(access, group.now) ? group.viewers : []))
    last = new Map(
      groups.flatMap(([access, { now }]) => {
        const known = now ?? last.get(access)
        return known === undefined ? [] : [[access, known] as const]
      }),
    )
    return groups.every(([, { now }]) => now === null) ? null : JSON.stringify([...last])
  }
  return { read, changedViewers: () => changed }
}
