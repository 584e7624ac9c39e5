import type { Storage } from '../storage/port.ts'

/** A storage that is still being opened: only who uses it waits, and hears when it could not be. */
export function deferredStorage(opening: Promise<Storage>): Storage {
  let opened: Storage | null = null
  opening.then(
    (storage) => (opened = storage),
    // Nobody may ever use it.
    () => {},
  )
  const use = <T>(call: (storage: Storage) => Promise<T>): Promise<T> =>
    opened === null ? opening.then(call) : call(opened)
  return {
    narrow: (...asked) => use((storage) => storage.narrow(...asked)),
    stat: (...asked) => use((storage) => storage.stat(...asked)),
    list: (...asked) => use((storage) => storage.list(...asked)),
    async *walk(...asked) {
      yield* (await opening).walk(...asked)
    },
    async *find(...asked) {
      yield* (await opening).find(...asked)
    },
    open: (...asked) => use((storage) => storage.open(...asked)),
    async *readTree(...asked) {
      yield* (await opening).readTree(...asked)
    },
    checksum: (...asked) => use((storage) => storage.checksum(...asked)),
    localFolder: (...asked) => use((storage) => storage.localFolder(...asked)),
    measure: (...asked) => use((storage) => storage.measure(...asked)),
    usage: (...asked) => use((storage) => storage.usage(...asked)),
    write: (...asked) => use((storage) => storage.write(...asked)),
    begin: (...asked) => use((storage) => storage.begin(...asked)),
    received: (...asked) => use((storage) => storage.received(...asked)),
    put: (...asked) => use((storage) => storage.put(...asked)),
    commit: (...asked) => use((storage) => storage.commit(...asked)),
    isPlaced: (...asked) => use((storage) => storage.isPlaced(...asked)),
    abort: (...asked) => use((storage) => storage.abort(...asked)),
    makeFolder: (...asked) => use((storage) => storage.makeFolder(...asked)),
    move: (...asked) => use((storage) => storage.move(...asked)),
    copy: (...asked) => use((storage) => storage.copy(...asked)),
    check: (...asked) => use((storage) => storage.check(...asked)),
    remove: (...asked) => use((storage) => storage.remove(...asked)),
  }
}
