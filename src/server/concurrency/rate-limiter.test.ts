import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limiter.ts'

test('large tasks start one by one, and small tasks run in between', async () => {
  const waitForStart = createRateLimiter()
  const order: string[] = []
  const large = Array.from({ length: 3 }, async (_, n) => {
    await waitForStart()
    order.push(`large ${n}`)
    setImmediate(() => order.push(`small after ${n}`))
  })
  await Promise.all(large)
  await waitForStart()
  expect(order).toEqual(['large 0', 'small after 0', 'large 1', 'small after 1', 'large 2', 'small after 2'])
})

test('the tasks of different keys take turns', async () => {
  const waitForStart = createRateLimiter()
  const order: string[] = []
  const tasks = ['a', 'a', 'a', 'b', 'c', 'b'].map(async (key) => {
    await waitForStart(key)
    order.push(key)
  })
  await Promise.all(tasks)
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
})
