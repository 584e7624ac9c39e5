import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ListingRow } from '../../../shared/contract/resources.ts'
import { entryAt } from './columns.ts'
import { createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'
import {
  type ResourceResponse,
  fetchRows,
  type FolderListing,
  type RowFetchDependencies,
} from './row-stream.ts'

const encoder = new TextEncoder()
const head = {
  path: '/Docs',
  name: 'Docs',
  size: 4096,
  extension: '',
  modified: '2026-11-20T19:30:29.05Z',
  mode: 2147484141,
  isDir: true,
  isSymlink: false,
  type: '',
  numDirs: 1,
  numFiles: 3,
  sorting: { by: 'name', asc: false },
  total: 4,
}
const lines: readonly (readonly ListingRow[])[] = [
  [
    ['Übersicht', 4096, 1000, '', 1],
    ['a😀.txt', 12, 2000, 'text', 0],
  ],
  [
    ['b\n.txt', 1, 3000, 'text', 0],
    ['bad-\udcff', 2, 4000, 'blob', 0],
  ],
]
const text = `${[head, ...lines].map((line) => JSON.stringify(line)).join('\n')}\n`

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % bytes.length).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((place, at) => bytes.subarray(places[at], place))
}

const streamed = (parts: readonly Uint8Array[], headers: Record<string, string> = {}): Response =>
  new Response(new Blob(parts as Uint8Array<ArrayBuffer>[]).stream(), {
    headers: { 'content-type': 'application/x-ndjson', etag: '"1"', ...headers },
  })

function ask(
  response: Response | Promise<Response>,
  onFirstRows: (folder: FolderListing) => void = () => undefined,
) {
  let now = 0
  const dependencies: RowFetchDependencies = {
    request: async () => response,
    yieldToBrowser: async () => undefined,
    nowMs: () => (now += 5),
  }
  return fetchRows(dependencies, { etag: null, signal: new AbortController().signal, onFirstRows })
}

const namesOf = (response: ResourceResponse): string[] => {
  if (response.kind !== 'folder') return []
  const { columns } = response.folder
  return Array.from({ length: columns.count }, (_, index) => entryAt(columns, index)?.name ?? '')
}

describe('lines', () => {
  test('are read correctly wherever the bytes are cut', () => {
    const bytes = encoder.encode(text)
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 30 }), (cuts) => {
        const reader = createNdjsonReader()
        const values = pieces(bytes, cuts).flatMap((piece) => [...reader.push(piece)])
        expect([...values, ...reader.end()]).toEqual([head, ...lines])
      }),
    )
  })
  test('may end without a line feed, and empty lines are skipped', () => {
    const reader = createNdjsonReader()
    expect([...reader.push(encoder.encode('1\n\n[2]\n{"a":3}'))]).toEqual([1, [2]])
    expect([...reader.end()]).toEqual([{ a: 3 }])
  })
})

describe('a folder', () => {
  test('is read from the row stream, and its first rows are shown before the others arrive', async () => {
    const seen: [here: number, inAll: number][] = []
    const response = await ask(
      streamed(pieces(encoder.encode(text), [10, 300, 420, 421, 430])),
      ({ columns }) => {
        const { arrived, total } = columns.summary.get()
        seen.push([arrived, total])
      },
    )
    expect(seen).toEqual([[2, 4]])
    expect(namesOf(response)).toEqual(['Übersicht', 'a😀.txt', 'b\n.txt', 'bad-\udcff'])
    expect(response).toMatchObject({
      kind: 'folder',
      folder: { etag: '"1"' },
    })
  })

  test('is also read from a listing in JSON, with folders first', async () => {
    const item = (name: string, isDir: boolean) => ({
      ...head,
      name,
      isDir,
      type: isDir ? '' : 'text',
      size: 5,
    })
    const items = [item('b.txt', false), item('Music', true), item('a.txt', false)]
    const body = JSON.stringify({ ...head, sorting: { by: 'modified', asc: true }, items })
    const response = await ask(new Response(body, { headers: { 'content-type': 'application/json' } }))
    expect(namesOf(response)).toEqual(['Music', 'b.txt', 'a.txt'])
  })

  test('without rows is an empty folder', async () => {
    const response = await ask(
      streamed([encoder.encode(JSON.stringify({ ...head, numDirs: 0, numFiles: 0, total: 0 }))]),
    )
    expect([response.kind, namesOf(response)]).toEqual(['folder', []])
  })
})

test('a file is distinguished from a folder', async () => {
  const body = JSON.stringify({ ...head, isDir: false, type: 'text', content: 'hi' })
  const response = await ask(
    new Response(body, { headers: { 'content-type': 'application/json; charset=utf-8' } }),
  )
  expect(response).toMatchObject({ kind: 'file', file: { content: 'hi' } })
})

test.each([
  [304, { kind: 'unchanged' }],
  [403, { kind: 'failed', status: 403 }],
  [404, { kind: 'failed', status: 404 }],
  [500, { kind: 'failed', status: 500 }],
])('status %i has its own kind of answer', async (status, expected) => {
  expect(await ask(new Response(null, { status }))).toEqual(expected)
})

test('a server that cannot be reached counts as status 0', async () => {
  expect(await ask(Promise.reject(new TypeError('failed to fetch')))).toEqual({ kind: 'failed', status: 0 })
})

test('the entity tag of known rows is sent', async () => {
  const sent: Record<string, string>[] = []
  const dependencies: RowFetchDependencies = {
    request: async (headers) => {
      sent.push({ ...headers })
      return new Response(null, { status: 304 })
    },
    yieldToBrowser: async () => undefined,
    nowMs: () => 0,
  }
  await fetchRows(dependencies, {
    etag: '"7"',
    signal: new AbortController().signal,
    onFirstRows: () => undefined,
  })
  expect(sent).toEqual([{ accept: 'application/x-ndjson, application/json', 'if-none-match': '"7"' }])
})

test('an abort in the middle throws the AbortError of the signal', async () => {
  const stop = new AbortController()
  const dependencies: RowFetchDependencies = {
    request: async () => streamed(pieces(encoder.encode(text), [400])),
    yieldToBrowser: async () => stop.abort(),
    nowMs: () => 0,
  }
  const options = { etag: null, signal: stop.signal, onFirstRows: () => undefined }
  await expect(fetchRows(dependencies, options)).rejects.toThrow(/abort/i)
})
