import { expect, test } from 'vitest'
import { parsePath, pathOf } from '../../../shared/domain/path.ts'
import { CallError } from '../../api/call.ts'
import type { RefusedEntry } from '../../state/open-folder.ts'
import type { OperationContext } from '../operation-context.ts'
import { renameEntries } from './rename-entries.ts'

const folder = pathOf('/docs')!
const entryOf = (name: string) => ({
  name,
  isFolder: false,
  isLink: false,
  isBroken: false,
  sizeBytes: 0,
  modifiedMs: 0,
  type: 'text' as const,
})
const nameIn = (path: string): string => path.slice('/docs/'.length)

const move = (where: Map<string, string>, from: string, to: string): void => {
  const content = where.get(from)
  if (content === undefined || where.has(to)) throw new CallError(409)
  where.delete(from)
  where.set(to, content)
}

/**
 * Creates a folder on a server whose files contain their first names, and whose rows show what the client believes. The
 * server refuses the requests with these numbers, from 1.
 */
function folderWith(names: readonly string[], refusedRequests: readonly number[]) {
  const files = new Map(names.map((name) => [name, name]))
  const rows = new Map(files)
  let refusals: readonly RefusedEntry[] = []
  let [requests, retry] = [0, (): void => undefined]
  const context = {
    call: async (_name: string, { path, query }: { path: string; query: { destination: string } }) => {
      requests += 1
      if (refusedRequests.includes(requests)) throw new CallError(0)
      move(files, nameIn(path), nameIn(parsePath(query.destination)?.path ?? ''))
      return new Response()
    },
    openAt: () => ({
      has: (name: string) => rows.has(name),
      rename: (from: string, to: string) => move(rows, from, to),
      showFailures: (shown: readonly RefusedEntry[]) => (refusals = shown),
      watchFetches: () => () => false,
      reload: () => undefined,
    }),
    notify: () => undefined,
    notifyFailure: (_text: string, _details: readonly string[], action?: { run: () => void }) =>
      (retry = action?.run ?? retry),
    notifyWork: () => () => undefined,
    later: () => () => undefined,
    nowMs: () => 0,
    go: () => undefined,
  } as unknown as OperationContext
  return {
    context,
    files,
    rows,
    refused: () => refusals.map(({ entry }) => entry.name),
    retry: () => retry(),
  }
}

const inTurn = ['a', 'b', 'c']
const exchange = inTurn.map((name, at) => ({ entry: entryOf(name), to: inTurn[(at + 1) % 3] ?? '' }))
const exchanged = { a: 'c', b: 'a', c: 'b' }

test('entries exchange their names', async () => {
  const { context, files, rows } = folderWith(inTurn, [])
  await renameEntries(context, { folder, entries: exchange })
  expect([Object.fromEntries(files), Object.fromEntries(rows)]).toEqual([exchanged, exchanged])
})

test.each([1, 2, 3, 4])(
  'when step %i of an exchange is refused, all entries keep their names',
  async (step) => {
    const { context, files, rows, refused, retry } = folderWith(inTurn, [step])
    await renameEntries(context, { folder, entries: exchange })
    const unchanged = { a: 'a', b: 'b', c: 'c' }
    expect([Object.fromEntries(files), Object.fromEntries(rows)]).toEqual([unchanged, unchanged])
    expect(refused()).toEqual(inTurn)
    retry()
    await expect.poll(() => Object.fromEntries(files)).toEqual(exchanged)
  },
)

test.each([
  [2, 3],
  [3, 4],
  [4, 5],
  [4, 6],
])(
  'when requests %i and %i are refused, every entry is reported under the name that it has',
  async (...steps) => {
    const { context, files, rows, refused, retry } = folderWith(inTurn, steps)
    await renameEntries(context, { folder, entries: exchange })
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(files))
    for (const name of refused()) expect(files.has(name)).toBe(true)
    retry()
    await expect.poll(() => Object.fromEntries(files)).toEqual(exchanged)
  },
)
