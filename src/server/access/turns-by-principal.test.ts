import { expect, test } from 'vitest'
import { codeOf } from '../../shared/domain/failure.ts'
import { createTurnsByPrincipal } from './turns-by-principal.ts'

const ann = 1
const ben = 2
const refusal = (taking: Promise<unknown>): Promise<string> =>
  taking.then(
    () => 'taken',
    (error: unknown) => codeOf(error),
  )

test('so much at once for each user, and the others in their order', async () => {
  const turns = createTurnsByPrincipal({ atOnce: 2 })
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
  const turns = createTurnsByPrincipal({ atOnce: 1, mostWaiting: 1 })
  const leave = await turns.take(ann)
  const waiting = turns.take(ann)
  expect(await refusal(turns.take(ann))).toBe('too-many-tries')
  leave()
  ;(await waiting)()
  expect(await refusal(turns.take(ann))).toBe('taken')
})

test('whoever has waited too long, or has gone, takes no place', async () => {
  const turns = createTurnsByPrincipal({ atOnce: 1, patienceMs: 20 })
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
  const turns = createTurnsByPrincipal({ atOnce: 1 })
  const leave = await turns.take(ann)
  const gone = new AbortController()
  const waiting = refusal(turns.take(ann, gone.signal))
  gone.abort()
  leave()
  expect(await waiting).toBe('aborted')
  expect(await refusal(turns.take(ann))).toBe('taken')
})
