import { expect, test } from 'vitest'
import { hitLines, hitList } from './hit-pieces.ts'
import { withHeartbeats } from './with-heartbeats.ts'

async function gathered<T>(pieces: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const piece of pieces) all.push(piece)
  return all
}

test('while nothing comes there is a beat each time, and nothing is lost', async () => {
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* open() {
    yield 'a'
    await waits[0]?.promise
    yield 'b'
  }
  const beating = withHeartbeats({ open, signal: new AbortController().signal, everyMs: 5 })
  expect((await beating.next()).value).toBe('a')
  expect((await beating.next()).value).toBeNull()
  expect((await beating.next()).value).toBeNull()
  waits[0]?.resolve()
  const rest = await gathered(beating)
  expect(rest.filter((item) => item !== null)).toEqual(['b'])
})

test('the work ends with its reader, also while nothing comes', async () => {
  const ended: string[] = []
  async function* open(until: AbortSignal) {
    try {
      yield 'a'
      await new Promise((_, reject) => until.addEventListener('abort', () => reject(new Error('aborted'))))
    } finally {
      ended.push('ended')
    }
  }
  const beating = withHeartbeats({ open, signal: new AbortController().signal, everyMs: 5 })
  await beating.next()
  await beating.next()
  await beating.return()
  expect(ended).toEqual(['ended'])
})

const broken = (): AsyncIterable<string> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }),
})

test('what fails is told', async () => {
  const beating = withHeartbeats({ open: broken, signal: new AbortController().signal, everyMs: 5 })
  await expect(gathered(beating)).rejects.toThrow('broken')
})

const names = (...paths: string[]) => ({ paths, folders: paths.map(() => false) })
async function* found() {
  yield null
  yield names('a')
  yield null
  yield names('b', 'c')
}

async function* silent() {
  yield null
  yield null
}

test('beats are empty lines, or white space of the array', async () => {
  const lines = (await gathered(hitLines(found()))).join('').split('\n')
  expect(lines.map((line) => /"path":"(.*)"/.exec(line)?.[1] ?? line)).toEqual(['', 'a', '', 'b', 'c', ''])
  const list = (await gathered(hitList(found()))).join('')
  expect((JSON.parse(list) as { path: string }[]).map(({ path }) => path)).toEqual(['a', 'b', 'c'])
  expect(JSON.parse((await gathered(hitList(silent()))).join(''))).toEqual([])
})

test('lines that are cut off at a limit say so (security 3.8)', async () => {
  const lines = (await gathered(hitLines(found(), 2))).join('').trim().split('\n')
  expect(lines.at(-1)).toBe('{"truncated":true}')
  expect(lines.filter((line) => line.includes('path'))).toHaveLength(2)
  expect((await gathered(hitLines(found(), 3))).join('')).not.toContain('truncated')
})
