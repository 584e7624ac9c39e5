import { expect, test } from 'vitest'
import type { NameSearchMatches } from '../storage/port.ts'
import { hitLines } from './hit-formats.ts'

/** Yields the given number of names in batches of two. */
async function* batchesOf(count: number): AsyncGenerator<NameSearchMatches> {
  for (let at = 0; at < count; at += 2) {
    const paths = [`${at}`, `${at + 1}`].slice(0, count - at)
    yield { paths, folders: paths.map(() => false) }
  }
}

async function linesOf(count: number, maxHits: number): Promise<string[]> {
  let text = ''
  for await (const chunk of hitLines(batchesOf(count), maxHits)) text += chunk
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
])(
  'a search with %i hits of at most %i is truncated, which the last line reports',
  async (count, maxHits) => {
    const lines = await linesOf(count, maxHits)
    expect(lines).toHaveLength(maxHits + 1)
    expect(lines.at(-1)).toBe('{"truncated":true}')
  },
)
