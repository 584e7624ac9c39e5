import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../shared/domain/path.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { testRecords, userFields } from '../../../../test/kit/records.ts'
import type { Session } from '../../records/port.ts'
import { createPosixVolume } from '../../storage/posix/volume.ts'
import { createTurns } from '../../turns/turns.ts'
import { createDoor } from '../door.ts'

test('for who has no quota nothing is counted', async () => {
  const volume = createPosixVolume({ root: temporaryFolder() })
  onTestFinished(() => volume.close())
  const asked: string[] = []
  const door = createDoor({
    volume,
    globalRules: async () => [],
    announce: ({ isCounted }) => void asked.push(`announced ${isCounted === true}`),
    settled: async () => {},
    bracket: async () => ({ before: null, after: null }),
    userNow: async ({ user }) => user,
    onBrokenRule: () => {},
    mostUploadBytes: null,
    quotas: {
      countOf(scope) {
        asked.push(`count of ${scope}`)
        throw new Error('nobody is to ask')
      },
    },
    uploadTurns: createTurns({ atOnce: 5 }),
    nowMs: Date.now,
  })
  const { users } = await testRecords()
  const cause = { call: 'resources.create', origin: null } as const
  const session = {} as Session
  const [ann, bea] = [
    await users.add(userFields({ username: 'ann' })),
    await users.add(userFields({ username: 'bea', quotaBytes: 5 })),
  ]
  const anns = await door.admit({ user: ann, session, cause })
  await anns.storage.makeFolder(root, { mayExist: true })
  await anns.storage.write('/a' as typeof root, bodyOf('x'), { overwrite: 'create' })
  expect(asked).toEqual(['announced false'])
  const beas = await door.admit({ user: bea, session, cause })
  expect(() => beas.storage).toThrow('nobody is to ask')
})

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
