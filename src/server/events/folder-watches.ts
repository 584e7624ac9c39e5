import type { ChangedNames, FolderVersions, FolderWatch, FolderWatcher } from '../storage/folder-watcher.ts'
import type { DiskIdentity, LocalFolder } from '../storage/port.ts'
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
}

/** A client that learns of the changes of a folder that is polled. */
export type FolderPollViewer = Omit<FolderViewer, 'onGone'>

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
  function poll(): void {
    stopPolling()
    const fingerprint = firstFingerprintOf(viewers)
    stopPolling = startPolling({ fingerprint, onStart: start, onChange: () => notify(null), later })
  }
  const folderWatch = watcher.watch(folder, {
    onStart() {
      stopPolling()
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

/** Asks the viewers one after the other until one of them can read the folder. */
const firstFingerprintOf = (viewers: ReadonlySet<FolderViewer>) => async (): Promise<string | null> => {
  for (const viewer of viewers) {
    const fingerprint = await viewer.fingerprint()
    if (fingerprint !== null) return fingerprint
  }
  return null
}
