import { limits } from '../../shared/domain/limits.ts'
import { smallFileBytes, type Incoming, type Storage } from '../storage/port.ts'
import { createTurns, inTurn, type Turns } from '../turns/turns.ts'

/** Where people's uploads wait for each other, each person's on their own. */
export type UploadTurns = {
  readonly any: Turns
  /** Of small new files that have come with their requests: those for one folder are put there together. */
  readonly small: Turns
}

export const createUploadTurns = (): UploadTurns => ({
  any: createTurns({ atOnce: limits.uploadsAtOnce }),
  small: createTurns({ atOnce: limits.smallUploadsAtOnce }),
})

/**
 * A storage that takes a person's uploads a few at a time; the others wait, and none of their bytes is asked for before (security 3.8).
 * What is saved over a file that is there has a line of its own, and so do small new files: they do not wait for films.
 */
export function withUploadTurns(storage: Storage, turns: UploadTurns, userId: number): Storage {
  const line = `uploads of ${userId}`
  return {
    ...storage,
    narrow: async (to) => withUploadTurns(await storage.narrow(to), turns, userId),
    write: async (path, body, op) => {
      const { overwrite, sizeBytes, signal } = op
      const bytes = overwrite === 'create' ? await whole(body, sizeBytes) : null
      if (bytes !== null)
        return inTurn({ turns: turns.small, line, signal }, async () =>
          storage.write(path, incomingOf(bytes), op),
        )
      const itsLine = overwrite === 'replace' ? `saves of ${userId}` : line
      return inTurn({ turns: turns.any, line: itsLine, signal }, async () => storage.write(path, body, op))
    },
    put: async (session, part, op = {}) =>
      inTurn({ turns: turns.any, line, signal: op.signal }, async () => storage.put(session, part, op)),
  }
}

const whole = async (body: Incoming, sizeBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array | null> =>
  sizeBytes <= smallFileBytes ? ((await body.whole?.(sizeBytes)) ?? null) : null

/** What has come, as if it came. */
const incomingOf = (bytes: Uint8Array): Incoming =>
  Object.assign(
    (async function* () {
      yield bytes
    })(),
    { whole: async () => bytes },
  )
