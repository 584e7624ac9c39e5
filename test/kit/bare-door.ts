import { createDoor, type Door, type DoorNeeds } from '../../src/server/access/door.ts'
import { createUploadTurns } from '../../src/server/access/with-upload-turns.ts'

/** A door that nobody hears of, without rules for everybody; whoever counts for a quota fails. */
export const bareDoor = (wish: Pick<DoorNeeds, 'volume'> & Partial<DoorNeeds>): Door =>
  createDoor({
    globalRules: async () => [],
    announce: () => {},
    settled: async () => {},
    bracket: async () => ({ before: null, after: null }),
    userNow: async ({ user }) => user,
    onBrokenRule: () => {},
    mostUploadBytes: null,
    quotas: {
      countOf() {
        throw new Error('nobody has a quota')
      },
    },
    uploadTurns: createUploadTurns(),
    nowMs: Date.now,
    ...wish,
  })
