import { expect, test } from 'vitest'
import type { ChangeMessage } from '../../../../shared/contract/events.ts'
import type { ListingRow } from '../../../../shared/contract/resources.ts'
import { nameOf, root, type Path } from '../../../../shared/domain/path.ts'
import { entryOfRow } from '../../../state/listed-entry.ts'
import { readChanges } from './read-changes.ts'

const row = (name: string, sizeBytes: number, modifiedMs = 5): ListingRow => [
  name,
  sizeBytes,
  modifiedMs,
  'text',
  0,
]

const removed = (path: string): ChangeMessage => ({ id: 1, kind: 'removed', path, origin: null })
const created = (path: string, sizeBytes: number, modifiedMs?: number): ChangeMessage => ({
  id: 2,
  kind: 'created',
  path,
  row: row(nameOf(path as Path), sizeBytes, modifiedMs),
  origin: null,
})

/** Reads changes of the root folder, which shows `a` of 1 byte and `b` and `c` of 2 bytes. */
function read(...changes: readonly ChangeMessage[]): readonly string[] | undefined {
  const rows = [row('a', 1), row('b', 2), row('c', 2)].map(entryOfRow)
  return readChanges(changes, root, (name) => rows.find((entry) => entry.name === name))?.map(
    ({ renamed, removed, entries }) =>
      [
        ...renamed.map(({ from, to }) => `${from}>${to}`),
        ...removed.map((name) => `-${name}`),
        ...entries.map(({ name }) => `+${name}`),
      ].join(' '),
  )
}

test('an entry that another program renames keeps its row, whichever of its names the server reports first', () => {
  expect(read(removed('/a'), created('/new', 1))).toEqual(['a>new +new'])
  expect(read(created('/new', 1), removed('/a'))).toEqual(['a>new +new'])
})

test('entries that are not certainly the same one are removed and inserted', () => {
  expect(read(removed('/a'), created('/new', 2))).toEqual(['-a', '+new'])
  expect(read(removed('/a'), created('/new', 1, 6))).toEqual(['-a', '+new'])
  expect(read(removed('/a'), created('/x', 1), created('/y', 1))).toEqual(['-a', '+x', '+y'])
  expect(read(removed('/b'), removed('/c'), created('/x', 2))).toEqual(['-b', '-c', '+x'])
  expect(read(removed('/a'), created('/new', 1), created('/a', 1))).toEqual(['-a', '+new', '+a'])
  expect(read(removed('/unknown'), created('/new', 1))).toEqual(['-unknown', '+new'])
})

test('a change of the folder itself needs a fetch', () => {
  expect(read({ id: 1, kind: 'reload', path: '/', origin: null })).toBeUndefined()
})

test('a folder that another program creates again at the path of the open folder is fetched, and is no row of itself', () => {
  const recreated = created('/open', 0)
  expect(readChanges([recreated], '/open' as Path, () => undefined)).toBeNull()
  expect(
    readChanges(
      [{ ...recreated, kind: 'moved', path: '/other', to: '/open' }],
      '/open' as Path,
      () => undefined,
    ),
  ).toBeNull()
})
