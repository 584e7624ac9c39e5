import { expect, test } from 'vitest'
import { codeOf } from '../../../shared/domain/failure.ts'
import { createSharedScans, type WantedScan } from './shared-scans.ts'

/** Returns scans that run until they are aborted or `end` is called. */
function scansWith() {
  const runs: (WantedScan & { readonly end: () => void })[] = []
  const scans = createSharedScans(async (wanted) => {
    const { signal } = wanted
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => reject(new Error('the scan was aborted')))
    runs.push({ ...wanted, end: resolve })
    await promise
  })
  const request = (kind: 'begin' | 'find' | 'join') => {
    const abort = new AbortController()
    const outcome = scans[kind](abort.signal).then(() => 'done', codeOf)
    return { outcome, abort: () => abort.abort() }
  }
  return { runs, request }
}

test('a scan that is asked for while another one runs begins after it, and is shared', async () => {
  const { runs, request } = scansWith()
  const first = request('begin')
  await expect.poll(() => runs.length).toBe(1)
  const [joined, second, third] = [request('join'), request('begin'), request('begin')]
  runs[0]!.end()
  expect(await Promise.all([first.outcome, joined.outcome])).toEqual(['done', 'done'])
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end()
  expect(await Promise.all([second.outcome, third.outcome])).toEqual(['done', 'done'])
  expect(runs).toHaveLength(2)
})

test('a scan goes on for the callers that have not aborted', async () => {
  const { runs, request } = scansWith()
  const [first, second] = [request('join'), request('join')]
  await expect.poll(() => runs.length).toBe(1)
  first.abort()
  expect([await first.outcome, runs[0]!.signal.aborted]).toEqual(['aborted', false])
  runs[0]!.end()
  expect(await second.outcome).toBe('done')
})

test('nobody shares a scan that has been aborted', async () => {
  const { runs, request } = scansWith()
  const first = request('begin')
  await expect.poll(() => runs.length).toBe(1)
  const waiting = request('begin')
  waiting.abort()
  expect(await waiting.outcome).toBe('aborted')
  first.abort()
  expect([await first.outcome, runs[0]!.signal.aborted]).toEqual(['aborted', true])
  const [joined, begun] = [request('join'), request('begin')]
  await expect.poll(() => runs.length).toBe(2)
  runs[1]!.end()
  expect(await Promise.all([joined.outcome, begun.outcome])).toEqual(['done', 'done'])
  expect(runs).toHaveLength(2)
})

test('a scan must begin after a call when one of its callers needs that', async () => {
  const { runs, request } = scansWith()
  const found = request('find')
  await expect.poll(() => runs.length).toBe(1)
  const [next, begun] = [request('find'), request('begin')]
  expect(runs[0]!.mustBegin()).toBe(false)
  runs[0]!.end()
  expect(await found.outcome).toBe('done')
  await expect.poll(() => runs.length).toBe(2)
  expect(runs[1]!.mustBegin()).toBe(true)
  runs[1]!.end()
  expect(await Promise.all([next.outcome, begun.outcome])).toEqual(['done', 'done'])
})
