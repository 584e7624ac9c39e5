import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { pathOf } from '../../shared/domain/path.ts'
import type { ObservedChange } from '../changes/change.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { Timer } from '../concurrency/later.ts'
import type { FolderWatcher } from '../storage/folder-watcher.ts'
import type { Storage } from '../storage/port.ts'
import { type SubscriberDependencies, subscribeToFolders } from './change-subscriber.ts'
import { eventLimits } from './event-limits.ts'
import { createFolderWatches } from './folder-watches.ts'
import { createSentStateStores } from './watched-folder.ts'

const docs = pathOf('/docs')!
const neverLater: Timer = () => () => {}
/** Runs what is to be done at once, and nothing later. */
const onlyAtOnce: Timer = (ms, run) => {
  if (ms === 0) queueMicrotask(run)
  return () => {}
}

const createdIn = (name: string): ObservedChange => ({
  kind: 'created',
  path: pathOf(`/docs/${name}`)!,
  userId: 2,
  scope: pathOf('/')!,
  origin: null,
})

type FakeSubscription = {
  readonly storage: unknown
  readonly observe?: SubscriberDependencies['observe']
  /** Returns the key of the user's rights. */
  readonly keyOf?: () => string
  readonly watch?: FolderWatcher['watch']
  readonly later?: Timer
}

/** Subscribes a client to the folder `docs`, and collects what it is sent. By default, the watcher reports nothing. */
function subscribeToDocs({
  storage,
  observe = () => () => {},
  keyOf = () => 'rights',
  watch = () => ({ stop: () => {}, version: async () => null }),
  later = onlyAtOnce,
}: FakeSubscription) {
  const sent: unknown[] = []
  const statuses: unknown[] = []
  const subscriber = subscribeToFolders(
    {
      observe,
      accessOf: async () => ({ key: keyOf(), scope: pathOf('/')!, storage: storage as Storage }),
      accessKeyOf: async () => keyOf(),
      watches: createFolderWatches({ watcher: { watch, close: async () => {} }, later }),
      typeOf: async () => 'text',
      newSentStates: createSentStateStores(eventLimits),
      limiter: createKeyedLimiter({ maxConcurrent: 8 }),
      onFault: (error) => {
        throw error
      },
    },
    1,
    {
      send: (message, accessKey) => sent.push([message, accessKey]),
      sendStatus: (message) => statuses.push(message),
    },
  )
  subscriber.watch(new Set([docs]))
  return { sent, statuses, stop: subscriber.stop }
}

const notFound = async (): Promise<never> => {
  throw new AppError('not-found')
}

test('a client that watches a folder which has disappeared meanwhile learns that its rows are out of date', async () => {
  const { statuses, stop } = subscribeToDocs({ storage: { localDisk: { folder: notFound } } })
  await expect.poll(() => statuses).toEqual([{ watching: '/docs', modifiedMs: 0, sum: -1 }])
  stop()
})

test('a client learns that its folder was deleted before the system could watch it', async () => {
  const local = { realPath: '/srv/docs', dev: 1n, ino: 1n, ownNames: [] }
  const { statuses, stop } = subscribeToDocs({
    storage: { localDisk: { folder: async () => local }, stat: notFound, list: notFound },
    watch: (_folder, { onEnd }) => {
      queueMicrotask(onEnd)
      return { stop: () => {}, version: async () => null }
    },
  })
  await expect.poll(() => statuses).toEqual([{ watching: '/docs', modifiedMs: 0, sum: -1 }])
  stop()
})

test.each([
  ['on a disk whose folders are polled', true],
  ['in a storage that is not on a disk', false],
])('a client learns that a folder was deleted %s', async (_case, isOnDisk) => {
  const timers: (() => void)[] = []
  let isDeleted = false
  const { sent, stop } = subscribeToDocs({
    storage: {
      ...(isOnDisk
        ? { localDisk: { folder: async () => (isDeleted ? notFound() : null) }, stat: notFound }
        : { stat: async () => (isDeleted ? notFound() : { kind: 'folder', name: 'docs', modifiedMs: 0 }) }),
      list: async () => (isDeleted ? notFound() : { folder: { etag: 'first' }, total: 0, pages: [] }),
    },
    later: (_ms, run) => {
      timers.push(run)
      return () => {}
    },
  })
  const runNext = async (): Promise<void> => {
    await expect.poll(() => timers.length).toBe(1)
    timers.pop()!()
  }
  await runNext()
  await expect.poll(() => timers.length).toBe(1)
  isDeleted = true
  await runNext()
  await expect.poll(() => sent).toEqual([[{ kind: 'reload', path: '/docs', origin: null }, 'rights']])
  stop()
})

test('a change is not sent when the rights of the user change while its entry is read from the disk', async () => {
  const rights = { key: 'former' }
  const { promise: disk, resolve: respond } = Promise.withResolvers<void>()
  const listeners: ((change: ObservedChange) => void)[] = []
  const { sent, stop } = subscribeToDocs({
    storage: {
      localDisk: { folder: async () => null },
      async stat() {
        await disk
        return { kind: 'file', name: 'secret.txt', sizeBytes: 1, modifiedMs: 0 }
      },
    },
    observe: ({ onChange }) => {
      listeners.push(onChange)
      return () => {}
    },
    keyOf: () => rights.key,
    later: neverLater,
  })
  listeners[0]!(createdIn('secret.txt'))
  // The entry is being read now.
  await new Promise((resolve) => setImmediate(resolve))
  rights.key = 'new'
  respond()
  await expect.poll(() => sent).toEqual([[{ kind: 'reload', path: '/docs', origin: null }, 'new']])
  stop()
})

const fileNamed = (name: string) => ({ kind: 'file', name, sizeBytes: 1, modifiedMs: 0 })
const rowNamed = (name: string) => [name, 1, 0, 'text', 0]
const renamed: ObservedChange = { ...createdIn('a.txt'), kind: 'moved', to: pathOf('/docs/b.txt')! }

test.each([
  [
    'a renamed file that was renamed back',
    renamed,
    'a.txt',
    [
      { kind: 'moved', path: '/docs/a.txt', to: '/docs/b.txt', origin: null },
      { kind: 'created', path: '/docs/a.txt', row: rowNamed('a.txt'), origin: null },
      { kind: 'removed', path: '/docs/b.txt', origin: null },
    ],
  ],
  [
    'a created file that was removed',
    createdIn('a.txt'),
    null,
    [
      { kind: 'created', path: '/docs/a.txt', origin: null },
      { kind: 'removed', path: '/docs/a.txt', origin: null },
    ],
  ],
  [
    'a removed file that was created again',
    { ...createdIn('a.txt'), kind: 'removed' as const },
    'a.txt',
    [
      { kind: 'removed', path: '/docs/a.txt', origin: null },
      { kind: 'created', path: '/docs/a.txt', row: rowNamed('a.txt'), origin: null },
    ],
  ],
  [
    'a renamed file whose second change has not happened',
    renamed,
    'b.txt',
    [{ kind: 'moved', path: '/docs/a.txt', to: '/docs/b.txt', row: rowNamed('b.txt'), origin: null }],
  ],
])(
  'a client learns of %s by another program before the server reports the change',
  async (_case, change, present, expected) => {
    const listeners: ((change: ObservedChange) => void)[] = []
    const { sent, stop } = subscribeToDocs({
      storage: {
        localDisk: { folder: async () => null },
        stat: async (path: string) => (path === `/docs/${present}` ? fileNamed(String(present)) : notFound()),
      },
      observe: ({ onChange }) => {
        listeners.push(onChange)
        return () => {}
      },
      later: neverLater,
    })
    listeners[0]!(change)
    await expect.poll(() => sent).toEqual(expected.map((message) => [message, 'rights']))
    stop()
  },
)
