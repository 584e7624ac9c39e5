import { expect, test } from 'vitest'
import { hitLines, hitList } from './hit-formats.ts'
import { withHeartbeats } from './with-heartbeats.ts'

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('null is yielded after each interval without an item, and no item is lost', async () => {
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* open() {
    yield 'a'
    await waits[0]?.promise
    yield 'b'
  }
  const items = withHeartbeats({ open, signal: new AbortController().signal, everyMs: 5 })
  expect((await items.next()).value).toBe('a')
  expect((await items.next()).value).toBeNull()
  expect((await items.next()).value).toBeNull()
  waits[0]?.resolve()
  const rest = await collect(items)
  expect(rest.filter((item) => item !== null)).toEqual(['b'])
})

test('the source ends when the reader stops, also while there is no item', async () => {
  const ended: string[] = []
  async function* open(signal: AbortSignal) {
    try {
      yield 'a'
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    } finally {
      ended.push('ended')
    }
  }
  const items = withHeartbeats({ open, signal: new AbortController().signal, everyMs: 5 })
  await items.next()
  await items.next()
  await items.return()
  expect(ended).toEqual(['ended'])
})

const broken = (): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }),
})

test('a failure of the source is thrown', async () => {
  const items = withHeartbeats({ open: broken, signal: new AbortController().signal, everyMs: 5 })
  await expect(collect(items)).rejects.toThrow('broken')
})

const names = (...paths: string[]) => ({ paths, folders: paths.map(() => false) })
async function* batches() {
  yield null
  yield names('a')
  yield null
  yield names('b', 'c')
}

async function* silent() {
  yield null
  yield null
}

test('heartbeats are empty lines, or white space in the array', async () => {
  const lines = (await collect(hitLines(batches()))).join('').split('\n')
  expect(lines.map((line) => /"path":"(.*)"/.exec(line)?.[1] ?? line)).toEqual(['', 'a', '', 'b', 'c', ''])
  const list = (await collect(hitList(batches()))).join('')
  expect((JSON.parse(list) as { path: string }[]).map(({ path }) => path)).toEqual(['a', 'b', 'c'])
  expect(JSON.parse((await collect(hitList(silent()))).join(''))).toEqual([])
})

test('lines that are truncated at the limit end with a notice (security 3.8)', async () => {
  const lines = (await collect(hitLines(batches(), 2))).join('').trim().split('\n')
  expect(lines.at(-1)).toBe('{"truncated":true}')
  expect(lines.filter((line) => line.includes('path'))).toHaveLength(2)
  expect((await collect(hitLines(batches(), 3))).join('')).not.toContain('truncated')
})
