import { createKeyedLimiter } from '../../src/server/concurrency/keyed-limiter.ts'
import { observedChangeOf, type ObservedChange, type StorageChange } from '../../src/server/changes/change.ts'
import { createConnections } from '../../src/server/events/connections.ts'
import { eventLimits, type EventLimits } from '../../src/server/events/event-limits.ts'
import { createFolderWatches } from '../../src/server/events/folder-watches.ts'
import type { ClientSocket } from '../../src/server/http/socket-route.ts'
import type { FolderWatcher } from '../../src/server/storage/folder-watcher.ts'
import type { Storage } from '../../src/server/storage/port.ts'
import { pathOf } from '../../src/shared/domain/path.ts'

/** A socket whose messages and end come from the test. */
export function fakeSocket() {
  const sent: unknown[] = []
  const state = { waitingBytes: 0 }
  const listeners = { message: (_text: string): void => {}, close: (): void => {} }
  const socket: ClientSocket = {
    send: (text) => void sent.push(JSON.parse(text)),
    deliver: async () => {},
    onMessage: (listener) => void (listeners.message = listener),
    onClose: (listener) => {
      const earlier = listeners.close
      listeners.close = () => {
        earlier()
        listener()
      }
    },
    close: () => listeners.close(),
    waitingBytes: () => state.waitingBytes,
  }
  return { socket, sent, listeners, state }
}

const stat = async (path: string) => ({ kind: 'file', name: path, sizeBytes: 1, modifiedMs: 0 })

/** A storage in which each path is a folder of its own. It counts the calls that are in progress. */
function storageOf(running: { now: number; most: number }): Storage {
  const inodes = new Map<string, bigint>()
  async function localFolder(path: string) {
    running.now += 1
    running.most = Math.max(running.most, running.now)
    await new Promise((resolve) => setImmediate(resolve))
    running.now -= 1
    const ino = inodes.get(path) ?? BigInt(inodes.size)
    inodes.set(path, ino)
    return { realPath: `/srv${path}`, dev: 1n, ino, ownNames: [] }
  }
  return { localDisk: { folder: localFolder }, stat } as unknown as Storage
}

/** Serves the events socket without a disk. The test runs its timers and announces its changes. */
export function fakeEventServer(limits: Partial<EventLimits> = {}) {
  const allLimits = { ...eventLimits, ...limits }
  const announced = new Set<(change: ObservedChange) => void>()
  const running = { now: 0, most: 0 }
  const storage = storageOf(running)
  const timers: { readonly ms: number; readonly run: () => void }[] = []
  const later = (ms: number, run: () => void) => {
    const timer = { ms, run }
    timers.push(timer)
    return () => void (timers.includes(timer) && timers.splice(timers.indexOf(timer), 1))
  }
  const watcher: FolderWatcher = {
    watch: () => ({ stop: () => {}, version: async () => null }),
    close: async () => {},
  }
  const watches = createFolderWatches({ watcher, later })
  let tokens = 0
  const connect = createConnections({
    observe: ({ onChange }) => {
      announced.add(onChange)
      return () => announced.delete(onChange)
    },
    accessOf: async () => ({ key: 'same', scope: pathOf('/')!, storage }),
    accessKeyOf: async () => 'same',
    watches,
    typeOf: async () => 'text',
    later,
    watchRights: () => () => {},
    limits: allLimits,
    limiter: createKeyedLimiter({ maxConcurrent: allLimits.concurrentWork }),
    newToken: () => `token-${(tokens += 1)}`,
    onFault: (error) => {
      throw error
    },
  })
  const announce = (change: StorageChange): void =>
    announced.forEach((listener) => listener(observedChangeOf(change)))
  return { connect, watches, timers, announce, running }
}
