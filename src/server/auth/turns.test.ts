import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('no more than so many run together, and all come to their turn in order', async () => {
  const inTurn = createTurns({ atOnce: 2, waiting: 10 })
  let [running, most] = [0, 0]
  const finished: number[] = []
  const work = (n: number) => async () => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    finished.push(n)
  }
  await Promise.all([0, 1, 2, 3, 4, 5].map((n) => inTurn(work(n))))
  expect([most, finished]).toEqual([2, [0, 1, 2, 3, 4, 5]])
})

test('work that fails gives its place on', async () => {
  const inTurn = createTurns({ atOnce: 1, waiting: 1 })
  const failing = inTurn(() => Promise.reject(new Error('broken')))
  const next = inTurn(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await inTurn(() => Promise.resolve('again'))).toBe('again')
})
