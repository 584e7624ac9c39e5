import { expect, test } from 'vitest'
import { rowOrderOf } from '../../../shared/domain/sorting.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { insertEntries } from './column-changes.ts'
import { appendRows, createColumns, nameOfId } from './columns.ts'
import { createFolderCache } from './folder-cache.ts'
import { createFolderDesk, type FolderView } from './folder-view.ts'
import type { ReadFolder } from './row-stream.ts'

const [docs, music] = ['/Docs', '/Music'] as Path[] as [Path, Path]

type Asked = {
  readonly path: Path
  readonly headers: Readonly<Record<string, string>>
  answer: (response: Response | Error) => void
}

/** A desk whose questions are answered by the test, and whose clock is moved by it. */
function world() {
  const asked: Asked[] = []
  const timers: { ms: number; run: () => void; signal: AbortSignal }[] = []
  const desk = createFolderDesk({
    request: ({ path }, headers, signal) =>
      new Promise((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')))
        asked.push({ path, headers, answer: (it) => (it instanceof Error ? reject(it) : resolve(it)) })
      }),
    later: (ms, signal, run) => timers.push({ ms, run, signal }),
    beforeShow: () => undefined,
    breathe: async () => undefined,
    nowMs: () => 0,
  })
  const wait = () => timers.splice(0).forEach(({ run, signal }) => !signal.aborted && run())
  const last = (): Asked => asked.at(-1) as Asked
  return { desk, asked, last, wait }
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

/** What is on screen, in a word. */
function seen(view: FolderView): unknown {
  if (view.kind === 'failed') return [view.path, view.status]
  if (view.kind !== 'folder') return view.kind
  const { columns } = view.folder
  return [view.path, Array.from({ length: columns.count }, (_, id) => nameOfId(columns, id)), view.isStale]
}

async function opened(): Promise<ReturnType<typeof world>> {
  const it = world()
  it.desk.open({ path: docs, isFolder: true })
  it.last().answer(rows(['a', 'b']))
  await settled()
  return it
}

test('the old folder stays a while, then a skeleton stands in its place', async () => {
  const { desk, wait, last } = await opened()
  desk.open({ path: music, isFolder: true })
  expect([seen(desk.view.get()), desk.isWaiting.get()]).toEqual([[docs, ['a', 'b'], false], true])
  wait()
  expect(seen(desk.view.get())).toBe('loading')
  last().answer(rows(['song']))
  await settled()
  expect([seen(desk.view.get()), desk.isWaiting.get()]).toEqual([[music, ['song'], false], false])
})

test('an answer for a place that was left is dropped', async () => {
  const { desk, asked } = await opened()
  desk.open({ path: music, isFolder: true })
  desk.open({ path: docs, isFolder: true })
  asked[1]?.answer(rows(['song']))
  await settled()
  expect(seen(desk.view.get())).toEqual([docs, ['a', 'b'], false])
})

test('a folder that was open lately shows at once, and asks whether it has changed', async () => {
  const { desk, last } = await opened()
  desk.open({ path: music, isFolder: true })
  last().answer(rows(['song']))
  await settled()
  desk.open({ path: docs, isFolder: true })
  expect([seen(desk.view.get()), last().headers['if-none-match']]).toEqual([[docs, ['a', 'b'], false], '"1"'])
  last().answer(rows(['a', 'b', 'c'], '"2"'))
  await settled()
  expect(seen(desk.view.get())).toEqual([docs, ['a', 'b', 'c'], false])
})

test('rows that were changed here are fetched anew, whatever their tag', async () => {
  const { desk, last } = await opened()
  const view = desk.view.get()
  if (view.kind === 'folder') {
    insertEntries(view.folder.columns, [
      {
        name: 'new',
        isFolder: false,
        isLink: false,
        isBroken: false,
        sizeBytes: 0,
        modifiedMs: 0,
        type: 'text',
      },
    ])
  }
  desk.reload()
  expect(last().headers['if-none-match']).toBeUndefined()
})

test.each([403, 404, 500])('status %i is shown in place of the list', async (status) => {
  const { desk, last } = await opened()
  desk.open({ path: music, isFolder: true })
  last().answer(new Response(null, { status }))
  await settled()
  expect(seen(desk.view.get())).toEqual([music, status])
})

test('without a network a known folder stays, marked as of earlier; an unknown one fails', async () => {
  const { desk, last } = await opened()
  desk.reload()
  last().answer(new TypeError('no network'))
  await settled()
  expect(seen(desk.view.get())).toEqual([docs, ['a', 'b'], true])
  desk.open({ path: music, isFolder: true })
  last().answer(new TypeError('no network'))
  await settled()
  expect(seen(desk.view.get())).toEqual([music, 0])
})

test('an unchanged folder is no longer marked as of earlier', async () => {
  const { desk, last } = await opened()
  desk.reload()
  last().answer(new TypeError('no network'))
  await settled()
  desk.reload()
  last().answer(new Response(null, { status: 304 }))
  await settled()
  expect(seen(desk.view.get())).toEqual([docs, ['a', 'b'], false])
})

const folder = (): ReadFolder => {
  const columns = createColumns(rowOrderOf({ by: 'name', asc: false }))
  appendRows(columns, [['a', 1, 1, 'text', 0]])
  return { head: {} as ReadFolder['head'], columns, etag: null }
}

test('the cache keeps what was used last, within its limits', () => {
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
