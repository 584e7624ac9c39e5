import { expect, onTestFinished, test } from 'vitest'
import { causeOf } from '../../../../test/kit/change-cause.ts'
import { root } from '../../../shared/domain/path.ts'
import { bareCallerFactory } from '../../../../test/kit/bare-caller-factory.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { testRecords, userFields } from '../../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../../test/kit/shared-threads.ts'
import type { SessionRecord } from '../../records/session-store.ts'
import { createPosixVolume } from '../../storage/posix/volume.ts'

test('no bytes are counted for a user without a quota', async () => {
  const volume = createPosixVolume({ root: temporaryFolder(), pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  const calls: string[] = []
  const callerFactory = bareCallerFactory({
    volume,
    announce: async ({ isCounted = false }) => void calls.push(`announced ${isCounted}`),
    quotas: {
      usageOf(scope) {
        calls.push(`count of ${scope}`)
        throw new Error('must not be called')
      },
    },
  })
  const { users } = await testRecords()
  const cause = causeOf('resources.create')
  const session = {} as SessionRecord
  const [ann, bea] = [
    await users.add(userFields({ username: 'ann' })),
    await users.add(userFields({ username: 'bea', quotaBytes: 5 })),
  ]
  const anns = (await callerFactory.admit({ user: ann, session })).callerFor(cause)
  await anns.storage.apply({ kind: 'makeFolder', path: root, mayExist: true })
  await anns.storage.apply({
    kind: 'write',
    path: '/a' as typeof root,
    body: bodyOf('x'),
    overwrite: 'create',
  })
  expect(calls).toEqual(['announced false'])
  const beas = (await callerFactory.admit({ user: bea, session })).callerFor(cause)
  await expect(
    (async () => beas.storage.apply({ kind: 'makeFolder', path: root, mayExist: true }))(),
  ).rejects.toThrow('must not be called')
})

async function* bodyOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
