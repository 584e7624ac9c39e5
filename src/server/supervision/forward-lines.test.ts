import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { forwardLines } from './forward-lines.ts'

test('only whole lines are forwarded, whatever the chunks are, and the last one at the end', async () => {
  const stream = new PassThrough()
  const lines: string[] = []
  forwardLines(stream, (line) => void lines.push(line))
  const bytes = Buffer.from('first\nsecond with é\nthird')
  for (const byte of bytes) stream.write(Buffer.from([byte]))
  await expect.poll(() => lines).toEqual(['first', 'second with é'])
  stream.end()
  await expect.poll(() => lines).toEqual(['first', 'second with é', 'third'])
})

test('a line without an end does not fill the memory', async () => {
  const stream = new PassThrough()
  let longest = 0
  let total = 0
  forwardLines(stream, ({ length }) => {
    longest = Math.max(longest, length)
    total += length
  })
  const chunk = 'x'.repeat(64 * 1024)
  for (let n = 0; n < 100; n += 1) stream.write(chunk)
  stream.end()
  await expect.poll(() => total).toBe(100 * chunk.length)
  expect(longest).toBeLessThanOrEqual(256 * 1024)
})
