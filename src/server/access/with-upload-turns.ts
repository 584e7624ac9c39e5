import type { Storage } from '../storage/port.ts'
import { inTurn, type Turns } from '../turns/turns.ts'

/**
 * A storage that takes a person's uploads a few at a time; the others wait, and none of their bytes is asked for before (security 3.8).
 * What is saved over a file that is there has a line of its own: an editor does not wait for films.
 */
export function withUploadTurns(storage: Storage, turns: Turns, userId: number): Storage {
  return {
    ...storage,
    narrow: async (to) => withUploadTurns(await storage.narrow(to), turns, userId),
    write: async (path, body, op) => {
      const line = `${op.overwrite === 'replace' ? 'saves' : 'uploads'} of ${userId}`
      return inTurn({ turns, line, signal: op.signal }, async () => storage.write(path, body, op))
    },
    put: async (session, part, op = {}) =>
      inTurn({ turns, line: `uploads of ${userId}`, signal: op.signal }, async () =>
        storage.put(session, part, op),
      ),
  }
}
