import { expect, test } from 'vitest'
import { createPacer } from './pacer.ts'

test('large pieces of work go one by one, and what is small comes between', async () => {
  const pace = createPacer()
  const order: string[] = []
  const large = Array.from({ length: 3 }, async (_, n) => {
    await pace()
    order.push(`large ${n}`)
    setImmediate(() => order.push(`small after ${n}`))
  })
  await Promise.all(large)
  await pace()
  expect(order).toEqual(['large 0', 'small after 0', 'large 1', 'small after 1', 'large 2', 'small after 2'])
})
