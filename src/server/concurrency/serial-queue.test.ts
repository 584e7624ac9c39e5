import { expect, test } from 'vitest'
import { createSerialQueue } from './serial-queue.ts'

test('functions run one after the other, also after one has failed', async () => {
  const inTurn = createSerialQueue()
  const events: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = inTurn(async () => {
    await gate.promise
    events.push('first')
    throw new Error('failed')
  })
  const second = inTurn(async () => {
    events.push('second')
    return 2
  })
  await Promise.resolve()
  expect(events).toEqual([])
  gate.resolve()
  await expect(first).rejects.toThrow('failed')
  expect(await second).toBe(2)
  expect(events).toEqual(['first', 'second'])
})
