import { readdirSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { createClock, testRecords } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import type { Path } from '../../shared/domain/path.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { expireUploads, retentionMs } from './expiry.ts'
import { createPartsInFlight } from './parts-in-flight.ts'

async function createExpiryTest() {
  const clock = createClock()
  const { uploads } = await testRecords(clock)
  const disk = temporaryFolder()
  const volume = createPosixVolume({ root: disk, pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  const partsInFlight = createPartsInFlight()
  return {
    clock,
    uploads,
    partsInFlight,
    disk,
    expire: () =>
      expireUploads({ uploads, partsInFlight, nowMs: clock.nowMs, discard: (all) => volume.discard(all) }),
    begin: async (name: string, isDone = false): Promise<string> => {
      const path = `/${name}` as Path
      const { token } = await volume.apply({ kind: 'begin', path, overwrite: 'create' })
      const upload = {
        userId: 1,
        path,
        token,
        sizeBytes: 3,
        overwrite: 'create',
        touchedAtMs: clock.nowMs(),
        modifiedMs: null,
      } as const
      await uploads.put({ ...upload, isDone })
      return token
    },
  }
}

test('an upload that is not continued for a day is removed with its bytes', async () => {
  const { clock, uploads, expire, disk, begin } = await createExpiryTest()
  await begin('old')
  clock.advance(retentionMs.open / 2)
  await begin('young')
  expect(await expire()).toBe(0)
  clock.advance(retentionMs.open / 2 + 1)
  expect(await expire()).toBe(1)
  expect((await uploads.list()).map(({ path }) => path)).toEqual(['/young'])
  expect(readdirSync(disk)).toHaveLength(1)
})

test('an upload that is receiving a part is kept, however old it is', async () => {
  const { clock, expire, partsInFlight, disk, begin } = await createExpiryTest()
  const token = await begin('slow')
  clock.advance(retentionMs.open * 2)
  const { promise, resolve: finish } = Promise.withResolvers<void>()
  const part = partsInFlight.run(token, new AbortController().signal, () => promise)
  await Promise.resolve()
  expect(await expire()).toBe(0)
  finish()
  await part
  expect(await expire()).toBe(1)
  expect(readdirSync(disk)).toEqual([])
})

test('a finished upload is forgotten sooner than an unfinished one', async () => {
  const { clock, uploads, expire, begin } = await createExpiryTest()
  await begin('done', true)
  clock.advance(retentionMs.done + 1)
  expect(await expire()).toBe(1)
  expect(await uploads.list()).toEqual([])
})
