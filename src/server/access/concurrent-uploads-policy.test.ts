import { expect, test } from 'vitest'
import { pathOf, root } from '../../shared/domain/path.ts'
import type { IncomingBody } from '../storage/change.ts'
import { smallFileBytes } from '../storage/port.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { absentStorage } from './absent-storage.ts'
import { concurrentUploadsPolicy, createUploadLimiters } from './concurrent-uploads-policy.ts'
import { withPolicies } from '../storage/policy.ts'
import { applyInstead } from '../../../test/kit/changed-storage.ts'

/** Returns a body whose bytes have already arrived or, if `hasCome` is false, arrive later. */
const bodyOf = (sizeBytes: number, hasArrived = true): IncomingBody =>
  Object.assign(
    (async function* () {
      yield new Uint8Array(sizeBytes)
    })(),
    { whole: async () => (hasArrived ? new Uint8Array(sizeBytes) : null) },
  )

/**
 * Returns a function that uploads for a user. The storage reads every body immediately, but the uploads end only when
 * `respond` is called.
 */
function createTestUploads() {
  const limiters = createUploadLimiters()
  const taken: string[] = []
  const gate = Promise.withResolvers<void>()
  const disk = {
    ...absentStorage,
    apply: applyInstead(absentStorage, {
      async write({ path, body }) {
        let sizeBytes = 0
        for await (const chunk of body) sizeBytes += chunk.length
        taken.push(`${path} ${sizeBytes}`)
        await gate.promise
        throw new Error('nothing is kept')
      },
    }),
  }
  const upload = async (userId: number, name: string, body: IncomingBody, sizeBytes: number): Promise<void> =>
    withPolicies(disk, [concurrentUploadsPolicy(limiters, userId)])
      .apply({ kind: 'write', path: pathOf(`/${name}`) ?? root, body, overwrite: 'create', sizeBytes })
      .then(
        () => undefined,
        () => undefined,
      )
  return { taken, upload, respond: () => gate.resolve() }
}

test('of 21 concurrent small files of one user the last one waits', async () => {
  const { taken, upload, respond } = createTestUploads()
  const uploads = Array.from({ length: 21 }, async (_, n) => upload(1, `${n}`, bodyOf(3), 3))
  uploads.push(upload(2, 'of another', bodyOf(0), 0))
  await eventually(() => taken.includes('/of another 0'))
  expect(taken).toHaveLength(21)
  expect(taken).not.toContain('/20 3')
  respond()
  await Promise.all(uploads)
  expect(taken.at(-1)).toBe('/20 3')
})

test('larger files, and files whose bytes have not arrived, are limited to five at a time', async () => {
  const { taken, upload, respond } = createTestUploads()
  const large = smallFileBytes + 1
  const uploads = [
    ...Array.from({ length: 3 }, async (_, n) => upload(1, `large ${n}`, bodyOf(large), large)),
    ...Array.from({ length: 3 }, async (_, n) => upload(1, `later ${n}`, bodyOf(3, false), 3)),
    upload(1, 'small', bodyOf(smallFileBytes), smallFileBytes),
  ]
  await eventually(() => taken.length === 6)
  expect(taken).toContain(`/small ${smallFileBytes}`)
  expect(taken).not.toContain('/later 2 3')
  respond()
  await Promise.all(uploads)
  expect(taken).toHaveLength(7)
})
