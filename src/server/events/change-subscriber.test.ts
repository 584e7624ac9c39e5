import { expect, test } from 'vitest'
import { AppError } from '../../shared/domain/failure.ts'
import { pathOf } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import type { Timer } from '../concurrency/later.ts'
import type { Storage } from '../storage/port.ts'
import { subscribeToFolders } from './change-subscriber.ts'
import { createFolderWatches } from './folder-watches.ts'

const docs = pathOf('/docs')!
const neverLater: Timer = () => () => {}
/** Runs what is to be done at once, and nothing later. */
const onlyAtOnce: Timer = (ms, run) => {
  if (ms === 0) queueMicrotask(run)
  return () => {}
}

const createdIn = (name: string): StorageChange => ({
  kind: 'created',
  path: pathOf(`/docs/${name}`)!,
  userId: 2,
  username: 'bea',
  scope: pathOf('/')!,
  storedScope: '/',
  call: 'resources.create',
  origin: null,
  atMs: 0,
})

test('a client that watches a folder which has disappeared meanwhile learns that its rows are out of date', async () => {
  const storage = {
    localFolder: async () => {
      throw new Error('not found')
    },
  } as unknown as Storage
  const statuses: unknown[] = []
  const { watch, stop } = subscribeToFolders(
    {
      subscribe: () => () => {},
      accessOf: async () => ({ key: 'rights', scope: pathOf('/')!, storage }),
      accessKeyOf: async () => 'rights',
      watches: createFolderWatches({
        watcher: { watch: () => ({ stop: () => {}, version: async () => null }), close: async () => {} },
        later: onlyAtOnce,
      }),
      typeOf: async () => 'text',
      onFault: (error) => {
        throw error
      },
    },
    1,
    { send: () => {}, sendStatus: (message) => statuses.push(message) },
  )
  watch(new Set([docs]))
  await expect.poll(() => statuses).toEqual([{ watching: '/docs', modifiedMs: 0, sum: -1 }])
  stop()
})

const notFound = async (): Promise<never> => {
  throw new AppError('not-found')
}

test('a client learns that its folder was deleted before the system could watch it', async () => {
  const local = { realPath: '/srv/docs', dev: 1n, ino: 1n, ownNames: [] }
  const storage = { localFolder: async () => local, stat: notFound, list: notFound } as unknown as Storage
  const statuses: unknown[] = []
  const { watch, stop } = subscribeToFolders(
    {
      subscribe: () => () => {},
      accessOf: async () => ({ key: 'rights', scope: pathOf('/')!, storage }),
      accessKeyOf: async () => 'rights',
      watches: createFolderWatches({
        watcher: {
          watch: (_folder, { onEnd }) => {
            queueMicrotask(onEnd)
            return { stop: () => {}, version: async () => null }
          },
          close: async () => {},
        },
        later: onlyAtOnce,
      }),
      typeOf: async () => 'text',
      onFault: (error) => {
        throw error
      },
    },
    1,
    { send: () => {}, sendStatus: (message) => statuses.push(message) },
  )
  watch(new Set([docs]))
  await expect.poll(() => statuses).toEqual([{ watching: '/docs', modifiedMs: 0, sum: -1 }])
  stop()
})

test('a client learns that a folder was deleted on a disk whose folders are polled', async () => {
  const timers: (() => void)[] = []
  let isDeleted = false
  const storage = {
    localFolder: async () => (isDeleted ? notFound() : null),
    stat: notFound,
    list: async () => (isDeleted ? notFound() : { folder: { etag: 'first' }, total: 0, pages: [] }),
  } as unknown as Storage
  const sent: unknown[] = []
  const { watch, stop } = subscribeToFolders(
    {
      subscribe: () => () => {},
      accessOf: async () => ({ key: 'rights', scope: pathOf('/')!, storage }),
      accessKeyOf: async () => 'rights',
      watches: createFolderWatches({
        watcher: { watch: () => ({ stop: () => {}, version: async () => null }), close: async () => {} },
        later: (_ms, run) => {
          timers.push(run)
          return () => {}
        },
      }),
      typeOf: async () => 'text',
      onFault: (error) => {
        throw error
      },
    },
    1,
    { send: (message) => sent.push(message), sendStatus: () => {} },
  )
  watch(new Set([docs]))
  const runNext = async (): Promise<void> => {
    await expect.poll(() => timers.length).toBe(1)
    timers.pop()!()
  }
  await runNext()
  await expect.poll(() => timers.length).toBe(1)
  isDeleted = true
  await runNext()
  await expect.poll(() => sent).toEqual([{ kind: 'reload', path: '/docs', origin: null }])
  stop()
})

test('a change is not sent when the rights of the user change while its entry is read from the disk', async () => {
  const rights = { key: 'former' }
  const { promise: disk, resolve: respond } = Promise.withResolvers<void>()
  const storage = {
    localFolder: async () => null,
    async stat() {
      await disk
      return { kind: 'file', name: 'secret.txt', sizeBytes: 1, modifiedMs: 0 }
    },
  } as unknown as Storage
  const sent: unknown[] = []
  const listeners: ((change: StorageChange) => void)[] = []
  const { watch, stop } = subscribeToFolders(
    {
      subscribe: (listener) => {
        listeners.push(listener)
        return () => {}
      },
      accessOf: async () => ({ key: rights.key, scope: pathOf('/')!, storage }),
      accessKeyOf: async () => rights.key,
      watches: createFolderWatches({
        watcher: { watch: () => ({ stop: () => {}, version: async () => null }), close: async () => {} },
        later: neverLater,
      }),
      typeOf: async () => 'text',
      onFault: (error) => {
        throw error
      },
    },
    1,
    { send: (message, accessKey) => sent.push([message, accessKey]), sendStatus: () => {} },
  )
  watch(new Set([docs]))
  listeners[0]!(createdIn('secret.txt'))
  // The entry is being read now.
  await new Promise((resolve) => setImmediate(resolve))
  rights.key = 'new'
  respond()
  await expect.poll(() => sent).toEqual([[{ kind: 'reload', path: '/docs', origin: null }, 'new']])
  stop()
})
