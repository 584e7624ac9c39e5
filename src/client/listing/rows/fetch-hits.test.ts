import { expect, test } from 'vitest'
import type { SearchHit } from '../../../shared/contract/search.ts'
import { root } from '../../../shared/domain/path.ts'
import { fetchHits } from './fetch-hits.ts'

const hit = (path: string) => ({ dir: false, isDir: false, path })

/** Runs a search whose response has the given chunks. */
async function searchWith(chunks: readonly string[], contentType: string) {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk))
      controller.close()
    },
  })
  const response = new Response(body, { headers: { 'content-type': contentType } })
  const batches: SearchHit[][] = []
  const gaps = await fetchHits(
    () => Promise.resolve(response),
    { folder: root, query: 'x', signal: new AbortController().signal },
    (hits) => batches.push([...hits]),
  )
  return { batches, ...gaps }
}

test('hits are passed on chunk by chunk, and empty lines are ignored', async () => {
  const lines = `${JSON.stringify(hit('a/1'))}\n\n${JSON.stringify(hit('a/2'))}\n`
  const { batches, isTruncated } = await searchWith(
    [lines.slice(0, 50), lines.slice(50), '\n', JSON.stringify(hit('a/3'))],
    'application/x-ndjson',
  )
  expect(batches.flat()).toEqual([hit('a/1'), hit('a/2'), hit('a/3')])
  expect(batches.length).toBeGreaterThan(1)
  expect(isTruncated).toBe(false)
})

test('the last lines of an incomplete answer are reported', async () => {
  const text = `${JSON.stringify(hit('a/1'))}\n{"truncated":true}\n{"unsearched":2}\n`
  expect(await searchWith([text], 'application/x-ndjson')).toEqual({
    batches: [[hit('a/1')]],
    isTruncated: true,
    unsearched: 2,
  })
})

test('a list of hits in one answer is understood as well', async () => {
  const { batches } = await searchWith([JSON.stringify([hit('a/1')])], 'application/json; charset=utf-8')
  expect(batches).toEqual([[hit('a/1')]])
})
