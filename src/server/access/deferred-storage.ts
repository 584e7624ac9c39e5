import { localFolderOf } from '../storage/local-folder-of.ts'
import type { Storage } from '../storage/port.ts'

/**
 * Returns a function that returns a storage as soon as it is open, and until then a storage whose calls wait for it. These
 * calls reject when it cannot be opened.
 */
export function storageOnceOpen(opening: Promise<Storage>): () => Storage {
  let storage = waitingStorage(opening)
  opening.then(
    (opened) => (storage = opened),
    // The storage may never be used; without this handler a failure would be an unhandled rejection.
    () => {},
  )
  return () => storage
}

function waitingStorage(opening: Promise<Storage>): Storage {
  const use = <T>(call: (storage: Storage) => Promise<T>): Promise<T> => opening.then(call)
  return {
    localDisk: { folder: (...args) => use((storage) => localFolderOf(storage, ...args)) },
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
    measure: (...args) => use((storage) => storage.measure(...args)),
    usage: (...args) => use((storage) => storage.usage(...args)),
    received: (...args) => use((storage) => storage.received(...args)),
    isPlaced: (...args) => use((storage) => storage.isPlaced(...args)),
    apply: (change) => use((storage) => storage.apply(change)),
    check: (change) => use((storage) => storage.check(change)),
  }
}
