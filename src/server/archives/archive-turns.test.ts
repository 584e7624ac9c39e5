import { expect, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { createArchiveTurns } from './archive-turns.ts'

const never = new AbortController().signal
const code = (turn: Promise<unknown>): Promise<string> => turn.then(() => 'a place', codeOf)

test('two at once for each, in the order they came', async () => {
  const turns = createArchiveTurns({ atOnce: 2, waiting: 8, waitMs: 60_000 })
  const [leave] = await Promise.all([turns('ann', never), turns('ann', never)])
  const order: string[] = []
  const third = turns('ann', never).then((next) => (order.push('third'), next))
  const fourth = turns('ann', never).then((next) => (order.push('fourth'), next))
  await turns('bea', never)
  expect(order).toEqual([])
  leave()
  leave()
  ;(await third)()
  await fourth
  expect(order).toEqual(['third', 'fourth'])
})

test('3.8: whoever waits too long is refused, and so is the one after too many', async () => {
  const turns = createArchiveTurns({ atOnce: 1, waiting: 1, waitMs: 20 })
  const leave = await turns('ann', never)
  const waiting = code(turns('ann', never))
  expect(await code(turns('ann', never))).toBe('too-many-tries')
  expect(await waiting).toBe('too-many-tries')
  leave()
  expect(await code(turns('ann', never))).toBe('a place')
})

test('a client that leaves leaves the line', async () => {
  const turns = createArchiveTurns({ atOnce: 1, waiting: 1, waitMs: 60_000 })
  const leave = await turns('ann', never)
  const client = new AbortController()
  const waiting = code(turns('ann', client.signal))
  client.abort()
  expect(await waiting).toBe('aborted')
  const next = code(turns('ann', never))
  leave()
  expect(await next).toBe('a place')
})
