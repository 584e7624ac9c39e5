import { expect, test } from 'vitest'
import type { FoundNames } from '../storage/port.ts'
import { hitLines } from './hit-formats.ts'

/** Yields this number of names, two in each batch. */
async function* batchesOf(count: number): AsyncGenerator<FoundNames> {
  for (let at = 0; at < count; at += 2) {
    const paths = [`${at}`, `${at + 1}`].slice(0, count - at)
    yield { paths, folders: paths.map(() => false) }
  }
}

async function linesOf(count: number, maxHits: number): Promise<string[]> {
  let text = ''
  for await (const piece of hitLines(batchesOf(count), maxHits)) text += piece
  return text.trimEnd().split('\n')
}

test.each([
  [5, 5],
  [4, 5],
])('a search with %i hits of at most %i is not truncated', async (count, maxHits) => {
  const lines = await linesOf(count, maxHits)
  expect(lines).toHaveLength(count)
  expect(lines.at(-1)).toContain(`"path":"${count - 1}"`)
})

test.each([
  [6, 5],
  [7, 4],
])('a search with %i hits of at most %i is truncated, which the last line says', async (count, maxHits) => {
  const lines = await linesOf(count, maxHits)
  expect(lines).toHaveLength(maxHits + 1)
  expect(lines.at(-1)).toBe('{"truncated":true}')
})
