import { expect, test } from 'vitest'
import { listedTextFile } from '../../../../test/kit/listed-text-file.ts'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { insertRows, removeRows, renameRow } from './column-changes.ts'
import { appendRows } from './column-writes.ts'
import { createColumns, idAt, nameOfId, type ListingColumns } from './columns.ts'
import { createFolderCache } from './folder-cache.ts'
import { createFolderLoader, type FolderView } from './folder-loader.ts'
import type { FolderListing } from './row-stream.ts'

const [docs, music] = ['/Docs', '/Music'] as Path[] as [Path, Path]

type SentRequest = {
  readonly path: Path
  readonly headers: Readonly<Record<string, string>>
  respond: (response: Response | Error) => void
}

/** Creates a folder loader. The test itself responds to the loader's requests and triggers its timers. */
function createTestLoader() {
  const sent: SentRequest[] = []
  const timers: { ms: number; run: () => void; signal: AbortSignal }[] = []
  const loader = createFolderLoader({
    request: ({ path }, headers, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
        sent.push({ path, headers, respond: (it) => (it instanceof Error ? reject(it) : resolve(it)) })
      }),
    later: (ms, signal, run) => timers.push({ ms, run, signal }),
    beforeShow: () => undefined,
    yieldToBrowser: async () => undefined,
    nowMs: () => 0,
  })
  const wait = () => timers.splice(0).forEach(({ run, signal }) => !signal.aborted && run())
  const last = (): SentRequest => sent.at(-1) as SentRequest
  return { loader, sent, last, wait }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 5))

const rows = (names: readonly string[], etag = '"1"'): Response =>
  new Response(
    [
      {
        name: 'x',
        isDir: true,
        numDirs: 0,
        numFiles: names.length,
        sorting: { by: 'name', asc: false },
        total: names.length,
      },
      names.map((name) => [name, 1, 1, 'text', 0]),
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
    { headers: { 'content-type': 'application/x-ndjson', etag } },
  )

const file = (name: string): Response =>
  Response.json({ path: `/Docs/${name}`, name, isDir: false, type: 'image' })

const missing = (): Response => new Response(null, { status: 404 })

/** Returns a description of the view on screen, for comparisons in tests. */
function seen(view: FolderView): unknown {
  if (view.kind === 'failed') return [view.path, view.status, ...(view.wasOpen === true ? ['was open'] : [])]
  if (view.kind !== 'folder') return view.kind
  const { columns } = view.folder
  return [
    view.path,
    Array.from({ length: columns.count }, (_, index) => nameOfId(columns, idAt(columns, index))),
    view.isStale,
  ]
}

async function opened(): Promise<ReturnType<typeof createTestLoader>> {
  const it = createTestLoader()
  it.loader.open({ path: docs, isFolder: true })
  it.last().respond(rows(['a', 'b']))
  await settled()
  return it
}

test('the old folder stays for a while, then a skeleton replaces it', async () => {
  const { loader, wait, last } = await opened()
  loader.open({ path: music, isFolder: true })
  expect([seen(loader.view.get()), loader.isWaiting.get()]).toEqual([[docs, ['a', 'b'], false], true])
  wait()
  expect(seen(loader.view.get())).toBe('loading')
  last().respond(rows(['song']))
  await settled()
  expect([seen(loader.view.get()), loader.isWaiting.get()]).toEqual([[music, ['song'], false], false])
})

test('an open file stays until the next one has arrived, however long that takes', async () => {
  const { loader, wait, last } = await opened()
  loader.open({ path: '/Docs/a.jpg' as Path, isFolder: false })
  last().respond(file('a.jpg'))
  await settled()
  expect(seen(loader.view.get())).toBe('file')
  loader.open({ path: '/Docs/b.jpg' as Path, isFolder: false })
  wait()
  expect(seen(loader.view.get())).toBe('file')
  loader.open({ path: music, isFolder: true })
  wait()
  expect(seen(loader.view.get())).toBe('loading')
})

test('the answer for an address that was left is dropped', async () => {
  const { loader, sent } = await opened()
  loader.open({ path: music, isFolder: true })
  loader.open({ path: docs, isFolder: true })
  sent[1]?.respond(rows(['song']))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], false])
})

test('a cached folder shows at once, and the server is sent whether it has changed', async () => {
  const { loader, last } = await opened()
  loader.open({ path: music, isFolder: true })
  last().respond(rows(['song']))
  await settled()
  loader.open({ path: docs, isFolder: true })
  expect([seen(loader.view.get()), last().headers['if-none-match']]).toEqual([
    [docs, ['a', 'b'], false],
    '"1"',
  ])
  last().respond(rows(['a', 'b', 'c'], '"2"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b', 'c'], false])
})

test('rows that were changed here are fetched without their entity tag', async () => {
  const { loader, last } = await opened()
  const view = loader.view.get()
  if (view.kind === 'folder') {
    insertRows(view.folder.columns, [listedTextFile('/new' as Path)])
  }
  loader.reload()
  expect(last().headers['if-none-match']).toBeUndefined()
})

const without =
  (...names: string[]) =>
  (columns: ListingColumns) =>
    void removeRows(columns, names)

test('rows that were requested before a deletion do not bring the deleted row back', async () => {
  const { loader, last } = await opened()
  loader.reload()
  loader.recordChange(docs, without('b'))
  last().respond(rows(['a', 'b'], '"2"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a'], false])
  loader.reload()
  last().respond(rows(['a', 'b'], '"3"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], false])
})

test('changes of a running operation are shown in rows that are requested meanwhile, and not afterwards', async () => {
  const { loader, last } = await opened()
  const end = loader.watchFetches()
  loader.recordChange(docs, (columns) => void renameRow(columns, 'b', 'c'))
  loader.recordChange(music, without('a'))
  loader.reload()
  last().respond(rows(['a', 'b'], '"2"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'c'], false])
  loader.reload()
  expect(end()).toBe(true)
  last().respond(rows(['a', 'b'], '"2"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'c'], false])
  loader.reload()
  last().respond(rows(['a', 'b'], '"3"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], false])
})

test('a change ends with its own operation, also while another one is running', async () => {
  const { loader, last } = await opened()
  const endSlow = loader.watchFetches()
  const end = loader.watchFetches()
  loader.recordChange(docs, without('b'))
  end()
  loader.reload()
  last().respond(rows(['a', 'b'], '"2"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], false])
  endSlow()
})

test('changes that no request can have missed are not repeated', async () => {
  const { loader, last } = await opened()
  loader.recordChange(docs, without('a'))
  const end = loader.watchFetches()
  loader.recordChange(docs, without('b'))
  expect(end()).toBe(false)
  loader.reload()
  last().respond(rows(['a', 'b'], '"2"'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], false])
})

test.each([403, 404, 500])('status %i is shown instead of the list', async (status) => {
  const { loader, last } = await opened()
  loader.open({ path: music, isFolder: true })
  last().respond(new Response(null, { status }))
  await settled()
  expect(seen(loader.view.get())).toEqual([music, status])
})

test('while the server cannot be reached, a known folder stays and is marked as stale; an unknown one fails', async () => {
  const { loader, last } = await opened()
  loader.reload()
  last().respond(new TypeError('no network'))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], true])
  loader.open({ path: music, isFolder: true })
  last().respond(new TypeError('no network'))
  await settled()
  expect(seen(loader.view.get())).toEqual([music, 0])
})

test('a missing folder was open when it was on screen before, and not when it was only in the cache', async () => {
  const { loader, last } = await opened()
  for (const status of ['deleted', 'still missing']) {
    loader.reload()
    last().respond(missing())
    await settled()
    expect([status, seen(loader.view.get())]).toEqual([status, [docs, 404, 'was open']])
  }
  loader.reload()
  last().respond(rows(['again']))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['again'], false])
  loader.open({ path: music, isFolder: true })
  last().respond(rows(['song']))
  await settled()
  loader.open({ path: docs, isFolder: true })
  last().respond(missing())
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, 404])
})

test('a folder that the server calls unchanged is no longer marked as stale', async () => {
  const { loader, last } = await opened()
  loader.reload()
  last().respond(new TypeError('no network'))
  await settled()
  loader.reload()
  last().respond(new Response(null, { status: 304 }))
  await settled()
  expect(seen(loader.view.get())).toEqual([docs, ['a', 'b'], false])
})

const folder = (): FolderListing => {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: false }))
  appendRows(columns, [['a', 1, 1, 'text', 0]])
  return { columns, etag: null }
}

test('the cache evicts the least recently used folder beyond its limits', () => {
  const cache = createFolderCache({ folders: 2, bytes: 1e9 })
  const paths = ['/a', '/b', '/c'] as Path[]
  for (const path of paths.slice(0, 2)) cache.put(path, folder())
  cache.get('/a' as Path)
  cache.put('/c' as Path, folder())
  expect(paths.map((path) => cache.get(path) !== null)).toEqual([true, false, true])
  const small = createFolderCache({ folders: 9, bytes: 1 })
  small.put('/a' as Path, folder())
  expect(small.get('/a' as Path)).toBeNull()
})
