import { expect, test } from 'vitest'
import { createPartsInFlight } from './parts-in-flight.ts'

/**
 * Creates a set of parts that run until they are stopped. `running` holds the number of parts that are currently
 * running, and the highest number of parts that ran concurrently.
 */
function countedParts() {
  const partsInFlight = createPartsInFlight()
  const running = { now: 0, maximum: 0 }
  const started: number[] = []
  const work = async (n: number, signal: AbortSignal): Promise<void> => {
    started.push(n)
    running.now += 1
    running.maximum = Math.max(running.maximum, running.now)
    if (!signal.aborted) {
      const { promise, resolve } = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
    }
    running.now -= 1
  }
  const run = async (n: number): Promise<void> =>
    partsInFlight.run('upload', new AbortController().signal, async (signal) => work(n, signal))
  return { partsInFlight, running, started, run }
}

test('when several parts arrive concurrently, only one part is in flight at any time, and each part runs', async () => {
  const { partsInFlight, running, started, run } = countedParts()
  const first = run(0)
  await Promise.resolve()
  const others = [run(1), run(2), run(3)]
  await first
  expect(running.maximum).toBe(1)
  for (let attempt = 0; attempt < 10; attempt += 1) await partsInFlight.stop('upload')
  expect(running).toEqual({ now: 0, maximum: 1 })
  await Promise.all(others)
  expect(new Set(started)).toEqual(new Set([0, 1, 2, 3]))
})
