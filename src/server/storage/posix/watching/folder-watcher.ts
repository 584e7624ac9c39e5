import { createThreadPool } from '../../../workers/thread-pool.ts'
import type { FolderWatcher, FolderWatchListener } from '../../folder-watcher.ts'
import type { WatchTasks, WatchThreadMessage } from './watch-thread.ts'

/**
 * Creates a watcher whose thread starts with the first watched folder, and ends after the last one was released. Opening
 * a folder of a disk that hangs blocks neither the main thread nor the folders that are watched already.
 */
export function createFolderWatcher(): FolderWatcher {
  const pool = createThreadPool<WatchTasks>({ entry: new URL('./watch-thread.ts', import.meta.url), size: 1 })
  let lastId = 0
  return {
    watch({ realPath, dev, ino }, listener) {
      const abort = new AbortController()
      const id = (lastId += 1)
      const messages = pool.stream(
        'watch',
        { id, realPath, dev, ino },
        {
          signal: abort.signal,
          // The task sends one request, which keeps it running until the watch is stopped.
          onRequest: () => new Promise(() => {}),
        },
      )
      void forward(messages, abort.signal, listener)
      return {
        version: () => pool.run('version', { id }),
        stop: () => abort.abort(),
      }
    },
    close: () => pool.close(),
  }
}

async function forward(
  messages: AsyncIterable<WatchThreadMessage>,
  signal: AbortSignal,
  { onStart, onChange, onGone, onEnd }: FolderWatchListener,
): Promise<void> {
  try {
    for await (const message of messages) {
      if (signal.aborted) return
      if (message === 'gone') return onGone()
      if (message === 'started') onStart()
      else onChange(message.names)
    }
  } catch {
    // Watches are an optimisation: whatever the reason of the failure is, the caller polls the folder instead.
  }
  if (!signal.aborted) onEnd()
}
