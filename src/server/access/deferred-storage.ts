import type { Storage } from '../storage/port.ts'

/**
 * Wraps a storage that is still being opened. Its calls wait until the storage is open, and reject when it cannot be
 * opened.
 */
export function deferredStorage(opening: Promise<Storage>): Storage {
  let opened: Storage | null = null
  opening.then(
    (storage) => (opened = storage),
    // The storage may never be used; without this handler a failure would be an unhandled rejection.
    () => {},
  )
  const use = <T>(call: (storage: Storage) => Promise<T>): Promise<T> =>
    opened === null ? opening.then(call) : call(opened)
  return {
    narrow: (...args) => use((storage) => storage.narrow(...args)),
    stat: (...args) => use((storage) => storage.stat(...args)),
    list: (...args) => use((storage) => storage.list(...args)),
    async *walk(...args) {
      yield* (await opening).walk(...args)
    },
    async *find(...args) {
      yield* (await opening).find(...args)
    },
    open: (...args) => use((storage) => storage.open(...args)),
    async *readTree(...args) {
      yield* (await opening).readTree(...args)
    },
    checksum: (...args) => use((storage) => storage.checksum(...args)),
    localFolder: (...args) => use((storage) => storage.localFolder(...args)),
    measure: (...args) => use((storage) => storage.measure(...args)),
    usage: (...args) => use((storage) => storage.usage(...args)),
    received: (...args) => use((storage) => storage.received(...args)),
    isPlaced: (...args) => use((storage) => storage.isPlaced(...args)),
    apply: (change) => use((storage) => storage.apply(change)),
    check: (change) => use((storage) => storage.check(change)),
  }
}
