import { afterEach, expect, test, vi } from 'vitest'
import { batchLines } from './batch-lines.ts'
import { maxCharacters } from './scrollback.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Imitates the frames of a page. A hidden page draws none. */
function startFrames() {
  let waiting: (() => void)[] = []
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => waiting.push(draw))
  vi.stubGlobal('cancelAnimationFrame', () => undefined)
  return {
    draw: () => {
      const due = waiting
      waiting = []
      for (const draw of due) draw()
    },
  }
}

test('the lines of a frame are handed on together', () => {
  const frames = startFrames()
  const batches: (readonly string[])[] = []
  const lines = batchLines((batch) => batches.push(batch))
  lines.add('a')
  lines.add('b')
  expect(batches).toEqual([])
  frames.draw()
  lines.add('c')
  lines.flush()
  expect(batches).toEqual([['a', 'b'], ['c']])
})

test('a hidden page, which draws no frames, collects no more than the shell keeps', () => {
  startFrames()
  let waiting = 0
  let most = 0
  const lines = batchLines((batch) => {
    waiting -= batch.length
  })
  for (let count = 0; count < 3000; count += 1) {
    waiting += 1
    lines.add('x'.repeat(999))
    most = Math.max(most, waiting)
  }
  expect(most).toBeLessThanOrEqual(maxCharacters / 1000)
})
