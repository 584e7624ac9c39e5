import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('work of one key runs one after the other, of two keys side by side, and a failure stops nothing', async () => {
  const turns = createTurns()
  const log: string[] = []
  const go = Promise.withResolvers<void>()
  const first = turns('a', async () => {
    log.push('a1 begins')
    await go.promise
    log.push('a1 ends')
    throw new Error('a1')
  })
  const second = turns('a', async () => log.push('a2'))
  await turns('b', async () => log.push('b1'))
  expect(log).toEqual(['a1 begins', 'b1'])
  go.resolve()
  await expect(first).rejects.toThrow('a1')
  await second
  expect(log).toEqual(['a1 begins', 'b1', 'a1 ends', 'a2'])
})
