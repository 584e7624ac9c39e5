import { expect, onTestFinished, test } from 'vitest'
import { root } from '../../../shared/domain/path.ts'
import { bareDoor } from '../../../../test/kit/bare-door.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { testRecords, userFields } from '../../../../test/kit/records.ts'
import type { Session } from '../../records/port.ts'
import { createPosixVolume } from '../../storage/posix/volume.ts'

test('for who has no quota nothing is counted', async () => {
  const volume = createPosixVolume({ root: temporaryFolder() })
  onTestFinished(() => volume.close())
  const asked: string[] = []
  const door = bareDoor({
    volume,
    announce: ({ isCounted }) => void asked.push(`announced ${isCounted === true}`),
    quotas: {
      countOf(scope) {
        asked.push(`count of ${scope}`)
        throw new Error('nobody is to ask')
      },
    },
  })
  const { users } = await testRecords()
  const cause = { call: 'resources.create', origin: null } as const
  const session = {} as Session
  const [ann, bea] = [
    await users.add(userFields({ username: 'ann' })),
    await users.add(userFields({ username: 'bea', quotaBytes: 5 })),
  ]
  const anns = (await door.admit({ user: ann, session })).callerFor(cause)
  await anns.storage.makeFolder(root, { mayExist: true })
  await anns.storage.write('/a' as typeof root, bodyOf('x'), { overwrite: 'create' })
  expect(asked).toEqual(['announced false'])
  const beas = (await door.admit({ user: bea, session })).callerFor(cause)
  expect(() => beas.storage).toThrow('nobody is to ask')
})

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
