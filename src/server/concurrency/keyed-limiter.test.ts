import { expect, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { createKeyedLimiter, runLimited } from './keyed-limiter.ts'

const ann = 1
const ben = 2
const outcomeOf = (acquiring: Promise<unknown>): Promise<string> =>
  acquiring.then(
    () => 'acquired',
    (error: unknown) => codeOf(error),
  )

test('each key has its own number of slots, and its waiting tasks start in order', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 2 })
  const order: string[] = []
  const release = [await limiter.acquire(ann), await limiter.acquire(ann)]
  const third = limiter.acquire(ann).then((release) => (order.push('third'), release))
  const fourth = limiter.acquire(ann).then((release) => (order.push('fourth'), release))
  await limiter.acquire(ben)
  expect(order).toEqual([])
  release[0]?.()
  release[0]?.()
  const releaseThird = await third
  expect(order).toEqual(['third'])
  releaseThird()
  await fourth
  expect(order).toEqual(['third', 'fourth'])
})

test('a task is refused immediately when the queue is full', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 1, maxQueued: 1 })
  const release = await limiter.acquire(ann)
  const waiting = limiter.acquire(ann)
  expect(await outcomeOf(limiter.acquire(ann))).toBe('too-many-tries')
  release()
  ;(await waiting)()
  expect(await outcomeOf(limiter.acquire(ann))).toBe('acquired')
})

test('a task that waited too long or was aborted gets no slot', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 1, maxWaitMs: 20 })
  const release = await limiter.acquire(ann)
  const controller = new AbortController()
  const aborted = outcomeOf(limiter.acquire(ann, controller.signal))
  controller.abort()
  const late = outcomeOf(limiter.acquire(ann))
  expect([await aborted, await late]).toEqual(['aborted', 'too-many-tries'])
  release()
  expect(await outcomeOf(limiter.acquire(ann))).toBe('acquired')
})

test('a slot released while its waiting task is aborted is not lost', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 1 })
  const release = await limiter.acquire(ann)
  const controller = new AbortController()
  const waiting = outcomeOf(limiter.acquire(ann, controller.signal))
  controller.abort()
  release()
  expect(await waiting).toBe('aborted')
  expect(await outcomeOf(limiter.acquire(ann))).toBe('acquired')
})

test('tasks run in order within the limit, and a task that fails releases its slot', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 2 })
  let [running, mostRunning] = [0, 0]
  const finished: number[] = []
  const task = async (n: number): Promise<void> => {
    running += 1
    mostRunning = Math.max(mostRunning, running)
    await Promise.resolve()
    running -= 1
    finished.push(n)
    if (n === 1) throw new Error('broken')
  }
  const all = [0, 1, 2, 3, 4, 5].map(async (n) => runLimited({ limiter, key: 'all' }, () => task(n)))
  const outcomes = await Promise.allSettled(all)
  expect([mostRunning, finished]).toEqual([2, [0, 1, 2, 3, 4, 5]])
  expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1)
})

test('tasks of one key run one after the other, and tasks of two keys run at the same time', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 1 })
  const log: string[] = []
  const gate = Promise.withResolvers<void>()
  const first = runLimited({ limiter, key: 'a' }, async () => {
    log.push('a1 begins')
    await gate.promise
    log.push('a1 ends')
  })
  const second = runLimited({ limiter, key: 'a' }, async () => log.push('a2'))
  await runLimited({ limiter, key: 'b' }, async () => log.push('b1'))
  expect(log).toEqual(['a1 begins', 'b1'])
  gate.resolve()
  await Promise.all([first, second])
  expect(log).toEqual(['a1 begins', 'b1', 'a1 ends', 'a2'])
})

test('a limiter for the whole server refuses with overloaded', async () => {
  const limiter = createKeyedLimiter({ maxConcurrent: 1, maxQueued: 0, errorCode: 'overloaded' })
  const release = await limiter.acquire('all')
  expect(await outcomeOf(limiter.acquire('all'))).toBe('overloaded')
  release()
})
