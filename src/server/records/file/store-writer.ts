import { createThreadPool, type ThreadPool } from '../../workers/thread-pool.ts'
import type { StateStores } from '../create-stores.ts'
import type { RecordStores, ServerRecords } from '../port.ts'
import { methodAccess } from './method-access.ts'
import { sharedClockMs } from './shared-clock.ts'
import type { WriterContext, WriterTasks } from '../writer-thread.ts'

/** The thread in which a server changes its database. */
export type WriterThreads = ThreadPool<WriterTasks>

/** Creates the thread in which a server changes its database. It starts with the first change. */
export const createWriterThread = (): WriterThreads =>
  createThreadPool<WriterTasks>({ entry: new URL('../writer-thread.ts', import.meta.url), size: 1 })

export type StoreWriterDependencies = {
  readonly context: WriterContext
  readonly threads: WriterThreads
  readonly nowMs: () => number
  /** Called before each change. The returned function is called when the change is made or has failed. */
  readonly beginWrite: (store: keyof StateStores) => () => void
}

/** A call of a method that changes the database. */
type StoreCall = {
  readonly store: keyof StateStores
  readonly method: string
  readonly args: readonly unknown[]
}

/** Sends changes to the writer thread. */
export type StoreWriter = {
  readonly write: (call: StoreCall) => Promise<unknown>
  /** Waits for the changes that were sent, and stops the thread. */
  close(): Promise<void>
}

export function createStoreWriter({
  context,
  threads,
  nowMs,
  beginWrite,
}: StoreWriterDependencies): StoreWriter {
  let allSettled: Promise<unknown> = Promise.resolve()
  let hasWritten = false

  async function write({ store, method, args }: StoreCall): Promise<unknown> {
    const endWrite = beginWrite(store)
    const callbackIndex = args.findIndex((value) => typeof value === 'function')
    const callback = args[callbackIndex] as ((value: never) => unknown) | undefined
    const refusal: { error?: unknown } = {}
    const onRequest = async (value: never): Promise<unknown> => {
      try {
        return await callback?.(value)
      } catch (error) {
        refusal.error = error
        throw error
      }
    }
    const input = {
      store,
      method,
      args: args.map((value, index) => (index === callbackIndex ? null : value)),
      callbackIndex,
      atMs: nowMs(),
      sentAtMs: sharedClockMs(),
    }
    try {
      return await threads.run('write', input, { context, onRequest })
    } catch (error) {
      // The error of a function of this thread is passed on as it is, and not as its copy.
      throw 'error' in refusal ? refusal.error : error
    } finally {
      endWrite()
    }
  }

  return {
    write(call) {
      hasWritten = true
      const result = write(call)
      // The result is dropped, because each one would otherwise keep all results before it.
      allSettled = Promise.allSettled([allSettled, result]).then(() => undefined)
      return result
    },
    async close() {
      await allSettled
      if (hasWritten) await threads.run('close', { file: context.file })
      await threads.close()
    },
  }
}

/** Wraps records so that each method that changes the database runs in the writer thread. */
export function withWriter(records: ServerRecords, { write }: StoreWriter): ServerRecords {
  const writesOf = (store: keyof StateStores) =>
    Object.fromEntries(
      Object.entries(methodAccess[store])
        .filter(([, access]) => access === 'write')
        .map(([method]) => [method, (...args: unknown[]) => write({ store, method, args })]),
    )
  const stores = Object.fromEntries(
    storeNames.map((store) => [store, { ...records[store], ...writesOf(store) }]),
  ) as RecordStores
  return { ...records, ...stores, ...writesOf('installation') }
}

const storeNames = Object.keys(methodAccess).filter(
  (name) => name !== 'installation',
) as (keyof RecordStores)[]
