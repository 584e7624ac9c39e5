import { expect, test } from 'vitest'
import { createUploadRate, noRate } from './upload-rate.ts'

const megabyte = 1_000_000

/** Returns a function that takes a sample of the progress some time after the last sample. */
function startRate(totalBytes: number) {
  let nowMs = 1000
  const rateOf = createUploadRate(() => nowMs)
  return (passedMs: number, sentBytes: number) => {
    nowMs += passedMs
    return rateOf({ sentBytes, totalBytes })
  }
}

test('the rate is shown after three seconds of transfer, and the time before the first byte is not counted', () => {
  const sample = startRate(60 * megabyte)
  sample(0, 0)
  expect(sample(5000, 0)).toEqual(noRate)
  const shown = Array.from({ length: 50 }, (_, step) => sample(100, (step + 1) * 400_000))
  expect(shown[28]).toEqual(noRate)
  expect(shown[30]?.bytesPerSecond).toBeCloseTo(4 * megabyte, -5)
  expect(shown.at(-1)?.secondsLeft).toBeLessThan(13)
})

test('small files that wait for their responses do not make an estimate for the large files', () => {
  const sample = startRate(80 * megabyte)
  sample(0, 0)
  for (let sent = 1; sent <= 10; sent += 1) expect(sample(1000, sent * 25_000)).toEqual(noRate)
  const shown = Array.from({ length: 30 }, (_, step) => sample(100, 250_000 + (step + 1) * megabyte))
  const estimates = shown.flatMap(({ secondsLeft }) => secondsLeft ?? [])
  expect(Math.max(...estimates)).toBeLessThan(600)
})

test('a slow connection gets an estimate after 15 seconds', () => {
  const sample = startRate(1000 * megabyte)
  sample(0, 0)
  const shown = Array.from({ length: 17 }, (_, step) => sample(1000, (step + 1) * 25_000))
  expect(shown[13]).toEqual(noRate)
  expect(shown[16]?.bytesPerSecond).toBeCloseTo(25_000, -2)
})
