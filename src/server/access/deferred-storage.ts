import type { Storage } from '../storage/port.ts'

/** A storage that is still being opened: only who uses it waits, and hears when it could not be. */
export function deferredStorage(opening: Promise<Storage>): Storage {
  // Nobody may ever use it.
  opening.catch(() => {})
  return {
    narrow: async (...asked) => (await opening).narrow(...asked),
    stat: async (...asked) => (await opening).stat(...asked),
    list: async (...asked) => (await opening).list(...asked),
    async *walk(...asked) {
      yield* (await opening).walk(...asked)
    },
    async *find(...asked) {
      yield* (await opening).find(...asked)
    },
    open: async (...asked) => (await opening).open(...asked),
    async *readTree(...asked) {
      yield* (await opening).readTree(...asked)
    },
    checksum: async (...asked) => (await opening).checksum(...asked),
    localFolder: async (...asked) => (await opening).localFolder(...asked),
    measure: async (...asked) => (await opening).measure(...asked),
    usage: async (...asked) => (await opening).usage(...asked),
    write: async (...asked) => (await opening).write(...asked),
    begin: async (...asked) => (await opening).begin(...asked),
    received: async (...asked) => (await opening).received(...asked),
    put: async (...asked) => (await opening).put(...asked),
    commit: async (...asked) => (await opening).commit(...asked),
    isPlaced: async (...asked) => (await opening).isPlaced(...asked),
    abort: async (...asked) => (await opening).abort(...asked),
    makeFolder: async (...asked) => (await opening).makeFolder(...asked),
    move: async (...asked) => (await opening).move(...asked),
    copy: async (...asked) => (await opening).copy(...asked),
    check: async (...asked) => (await opening).check(...asked),
    remove: async (...asked) => (await opening).remove(...asked),
  }
}
