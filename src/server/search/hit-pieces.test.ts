import { expect, test } from 'vitest'
import type { FoundNames } from '../storage/port.ts'
import { hitLines } from './hit-pieces.ts'

/** Names found two at a time. */
async function* found(count: number): AsyncGenerator<FoundNames> {
  for (let at = 0; at < count; at += 2) {
    const paths = [`${at}`, `${at + 1}`].slice(0, count - at)
    yield { paths, folders: paths.map(() => false) }
  }
}

async function linesOf(count: number, most: number): Promise<string[]> {
  let text = ''
  for await (const piece of hitLines(found(count), most)) text += piece
  return text.trimEnd().split('\n')
}

test.each([
  [5, 5],
  [4, 5],
])(
  'a search that is cut off says so in its last line, and only then: %i of at most %i',
  async (count, most) => {
    const lines = await linesOf(count, most)
    expect(lines).toHaveLength(count)
    expect(lines.at(-1)).toContain(`"path":"${count - 1}"`)
  },
)

test.each([
  [6, 5],
  [7, 4],
])('a search that is cut off says so in its last line: %i of at most %i', async (count, most) => {
  const lines = await linesOf(count, most)
  expect(lines).toHaveLength(most + 1)
  expect(lines.at(-1)).toBe('{"truncated":true}')
})
