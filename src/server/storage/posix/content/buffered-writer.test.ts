import { closeSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.ts'
import { AppError } from '../../../../shared/domain/failure.ts'
import { createBufferedWriter } from './buffered-writer.ts'
import type { DeadlineRunner } from './deadline-calls.ts'

const lease = { use: () => () => {}, release: async () => {} }

test('a write that a stalled disk completes after the same bytes were sent again changes nothing', async () => {
  const file = path.join(temporaryFolder(), 'staged')
  const descriptor = openSync(file, 'w+')
  const late: (() => Promise<unknown>)[] = []
  const stalled: DeadlineRunner = async (call) => {
    late.push(call)
    throw new AppError('timeout')
  }
  const first = createBufferedWriter({ descriptor, calls: async (call) => call(), lease }, { startBytes: 0 })
  await first.add(Buffer.from('received '))
  await first.drain()

  const interrupted = createBufferedWriter({ descriptor, calls: stalled, lease }, { startBytes: 9 })
  await interrupted.add(Buffer.from('sent twice'))
  await expect(interrupted.drain()).rejects.toThrow('timeout')
  const resumed = createBufferedWriter(
    { descriptor, calls: async (call) => call(), lease },
    { startBytes: 9 },
  )
  await resumed.add(Buffer.from('sent twice'))
  await resumed.drain()
  for (const call of late) await call()

  closeSync(descriptor)
  expect([late.length, readFileSync(file, 'utf8')]).toEqual([1, 'received sent twice'])
})
