import { expect, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { createTurns, inTurn } from './turns.ts'

const ann = 1
const ben = 2
const refusal = (taking: Promise<unknown>): Promise<string> =>
  taking.then(
    () => 'taken',
    (error: unknown) => codeOf(error),
  )

test('so much at once for each user, and the others in their order', async () => {
  const turns = createTurns({ atOnce: 2 })
  const order: string[] = []
  const leave = [await turns.take(ann), await turns.take(ann)]
  const third = turns.take(ann).then((leave) => (order.push('third'), leave))
  const fourth = turns.take(ann).then((leave) => (order.push('fourth'), leave))
  await turns.take(ben)
  expect(order).toEqual([])
  leave[0]?.()
  leave[0]?.()
  const leaveThird = await third
  expect(order).toEqual(['third'])
  leaveThird()
  await fourth
  expect(order).toEqual(['third', 'fourth'])
})

test('whoever finds the line full is refused at once', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 1 })
  const leave = await turns.take(ann)
  const waiting = turns.take(ann)
  expect(await refusal(turns.take(ann))).toBe('too-many-tries')
  leave()
  ;(await waiting)()
  expect(await refusal(turns.take(ann))).toBe('taken')
})

test('whoever has waited too long, or has gone, takes no place', async () => {
  const turns = createTurns({ atOnce: 1, patienceMs: 20 })
  const leave = await turns.take(ann)
  const gone = new AbortController()
  const aborted = refusal(turns.take(ann, gone.signal))
  gone.abort()
  const late = refusal(turns.take(ann))
  expect([await aborted, await late]).toEqual(['aborted', 'too-many-tries'])
  leave()
  expect(await refusal(turns.take(ann))).toBe('taken')
})

test('one who goes just when a place becomes free loses it to nobody', async () => {
  const turns = createTurns({ atOnce: 1 })
  const leave = await turns.take(ann)
  const gone = new AbortController()
  const waiting = refusal(turns.take(ann, gone.signal))
  gone.abort()
  leave()
  expect(await waiting).toBe('aborted')
  expect(await refusal(turns.take(ann))).toBe('taken')
})

test('work in its turn: no more than so many together, all in order, and a failure gives its place on', async () => {
  const turns = createTurns({ atOnce: 2 })
  let [running, most] = [0, 0]
  const finished: number[] = []
  const work = async (n: number): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    await Promise.resolve()
    running -= 1
    finished.push(n)
    if (n === 1) throw new Error('broken')
  }
  const all = [0, 1, 2, 3, 4, 5].map(async (n) => inTurn({ turns, line: 'all' }, () => work(n)))
  const outcomes = await Promise.allSettled(all)
  expect([most, finished]).toEqual([2, [0, 1, 2, 3, 4, 5]])
  expect(outcomes.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1)
})

test('work of one place runs one after the other, of two places side by side', async () => {
  const turns = createTurns({ atOnce: 1 })
  const log: string[] = []
  const go = Promise.withResolvers<void>()
  const first = inTurn({ turns, line: 'a' }, async () => {
    log.push('a1 begins')
    await go.promise
    log.push('a1 ends')
  })
  const second = inTurn({ turns, line: 'a' }, async () => log.push('a2'))
  await inTurn({ turns, line: 'b' }, async () => log.push('b1'))
  expect(log).toEqual(['a1 begins', 'b1'])
  go.resolve()
  await Promise.all([first, second])
  expect(log).toEqual(['a1 begins', 'b1', 'a1 ends', 'a2'])
})

test('a full line for everybody says that the server is busy', async () => {
  const turns = createTurns({ atOnce: 1, mostWaiting: 0, refusal: 'overloaded' })
  const leave = await turns.take('all')
  expect(await refusal(turns.take('all'))).toBe('overloaded')
  leave()
})
