import type { ChangedNames, FolderWatcher } from '../storage/folder-watcher.ts'
import type { LocalFolder } from '../storage/port.ts'
import { startPolling, type Timer } from './folder-polling.ts'

/** Someone who shows a folder. */
export type FolderViewer = {
  /** Called when changes are noticed from now on. May be called more than once. */
  readonly onStart: () => void
  readonly onChange: (names: ChangedNames) => void
  /** Returns a text that is different after the folder has changed, or null when it cannot be read at the moment. */
  readonly fingerprint: () => Promise<string | null>
}

/** The watches of all folders that clients show. Clients that show the same folder share one watch. */
export type FolderWatches = {
  /** Adds a viewer of a folder. The returned function removes the viewer, and with the last viewer the watch. */
  readonly add: (folder: LocalFolder, viewer: FolderViewer) => () => void
  /** Polls a folder that has no path that the watcher understands. The returned function stops. */
  readonly poll: (viewer: FolderViewer) => () => void
  /** The number of folders that are watched now. */
  readonly count: () => number
}

export type FolderWatchesDependencies = { readonly watcher: FolderWatcher; readonly later: Timer }

type SharedWatch = { readonly viewers: Set<FolderViewer>; hasStarted: boolean; stop: () => void }

/** A folder is polled when the system needs longer than this to watch it, in milliseconds. Its disk may be hanging. */
const maxStartMs = 2000

/** Identifies a folder on disk, whatever path leads to it. */
export const folderKey = ({ dev, ino }: Pick<LocalFolder, 'dev' | 'ino'>): string => `${dev}:${ino}`

export function createFolderWatches(dependencies: FolderWatchesDependencies): FolderWatches {
  const watches = new Map<string, SharedWatch>()
  return {
    add(folder, viewer) {
      const key = folderKey(folder)
      const watch = watches.get(key) ?? { viewers: new Set(), hasStarted: false, stop: () => {} }
      watch.viewers.add(viewer)
      if (watch.hasStarted) viewer.onStart()
      if (!watches.has(key)) {
        watches.set(key, watch)
        watch.stop = startWatch(dependencies, folder, watch)
      }
      return () => {
        if (!watch.viewers.delete(viewer) || watch.viewers.size > 0) return
        watches.delete(key)
        watch.stop()
      }
    },
    poll: (viewer) =>
      startPolling({ ...viewer, onChange: () => viewer.onChange(null), later: dependencies.later }),
    count: () => watches.size,
  }
}

/**
 * Watches a folder. The folder is polled while the system does not report its changes: on network file systems, when
 * the kernel's limit of watches is reached, and when the disk does not answer.
 */
function startWatch(
  { watcher, later }: FolderWatchesDependencies,
  folder: LocalFolder,
  watch: SharedWatch,
): () => void {
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
  const stopWatch = watcher.watch(folder, {
    onStart() {
      stopPolling()
      start()
    },
    onChange: notify,
    onEnd() {
      poll()
      if (watch.hasStarted) notify(null)
    },
  })
  return () => {
    stopPolling()
    stopWatch()
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
