import { expect, test } from 'vitest'
import { createPartsInFlight } from './parts-in-flight.ts'

/**
 * Creates a set of parts that run until they are stopped, and counts the parts that run now and the maximum that ran
 * concurrently.
 */
function parts() {
  const partsInFlight = createPartsInFlight()
  const underWay = { now: 0, most: 0 }
  const begun: number[] = []
  const work = async (n: number, signal: AbortSignal): Promise<void> => {
    begun.push(n)
    underWay.now += 1
    underWay.most = Math.max(underWay.most, underWay.now)
    if (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
    }
    underWay.now -= 1
  }
  const run = async (n: number): Promise<void> =>
    partsInFlight.run('upload', new AbortController().signal, async (signal) => work(n, signal))
  return { partsInFlight, underWay, begun, run }
}

test('of parts that arrive at once only one is ever in flight, and every one of them runs', async () => {
  const { partsInFlight, underWay, begun, run } = parts()
  const first = run(0)
  await Promise.resolve()
  const others = [run(1), run(2), run(3)]
  await first
  expect(underWay.most).toBe(1)
  for (let tries = 0; tries < 10; tries += 1) await partsInFlight.stop('upload')
  expect(underWay).toEqual({ now: 0, most: 1 })
  await Promise.all(others)
  expect(new Set(begun)).toEqual(new Set([0, 1, 2, 3]))
})
