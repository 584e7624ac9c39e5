import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import type { IntendedChange } from '../change.ts'
import type { NarrowOptions, Storage } from '../port.ts'
import { bodyOf, conformance, p, refusalCode, treeOf } from './suite.ts'
import type { FileTree } from './suite.ts'

const tree: FileTree = {
  file: 'x',
  other: 'y',
  folder: { inner: 'z', deep: { 'secret.key': 'k' } },
  empty: {},
  inside: { link: 'file' },
  alias: { link: 'folder' },
  dead: { link: 'nothing' },
  deadFolder: { link: 'no/folder' },
  out: { link: '/etc/hostname' },
  up: { link: '..' },
}

const paths = [
  '/,/file,/file/below,/folder,/folder/inner,/folder/new,/empty,/new,/new/deep/a,/inside,/alias,/alias/new',
  '/dead,/dead/below,/deadFolder/a,/out,/up/x,/folder/deep,/denied,/denied/a/b,/new/denied,/alias/denied/a',
].flatMap((line) => line.split(',').map(p))

const permits: NarrowOptions['permits'] = (path) =>
  !path.endsWith('.key') && !path.split('/').includes('denied')

const overwrites = ['create', 'replace', 'upsert'] as const
const extras = [{}, { ifMatch: 'other' }, { sizeBytes: Number.MAX_SAFE_INTEGER }] as const
const booleans = [false, true] as const

const writesOf = (path: Path): IntendedChange[] =>
  overwrites.flatMap((overwrite) =>
    booleans.flatMap((parents) =>
      extras.map((extra): IntendedChange => ({ kind: 'write', path, overwrite, parents, ...extra })),
    ),
  )

const foldersOf = (path: Path): IntendedChange[] =>
  booleans.flatMap((parents) =>
    booleans.map((mayExist): IntendedChange => ({ kind: 'makeFolder', path, parents, mayExist })),
  )

const transfersOf = (path: Path): IntendedChange[] =>
  paths.flatMap((to) =>
    (['move', 'copy'] as const).flatMap((kind) =>
      (['create', 'upsert'] as const).map((overwrite): IntendedChange => ({ kind, path, to, overwrite })),
    ),
  )

const removalsOf = (path: Path): IntendedChange[] =>
  booleans.map((recursive): IntendedChange => ({ kind: 'remove', path, recursive }))

/** Changes of every kind at every path. Among them are moves and copies from every path to every path. */
const changes = paths.flatMap((path) => [
  ...writesOf(path),
  ...foldersOf(path),
  ...transfersOf(path),
  ...removalsOf(path),
])

async function apply(storage: Storage, change: IntendedChange): Promise<unknown> {
  const { path } = change
  if (change.kind === 'write') {
    const { overwrite, sizeBytes = 3, ifMatch, parents = false } = change
    return storage.apply({ kind: 'write', path, body: bodyOf('new'), overwrite, sizeBytes, ifMatch, parents })
  }
  if (change.kind === 'makeFolder') {
    const { parents = false, mayExist = false } = change
    return storage.apply({ kind: 'makeFolder', path, parents, mayExist })
  }
  if (change.kind === 'remove') return storage.apply({ kind: 'remove', path, recursive: change.recursive })
  return storage.apply(change)
}

conformance('checking a change', ({ fixture }) => {
  test('the check fails with the same code as the change itself, and changes nothing', async () => {
    const checked = await fixture(tree)
    const narrow = await checked.storage.narrow({ permits })
    const before = treeOf(checked.disk)
    const outcomes: Record<string, number> = {}
    let applied = await fixture(tree)
    for (const change of changes) {
      const verdict = await refusalCode(narrow.check(change))
      const outcome = await refusalCode(apply(await applied.storage.narrow({ permits }), change))
      expect([change, verdict]).toEqual([change, outcome])
      outcomes[outcome ?? 'made'] = (outcomes[outcome ?? 'made'] ?? 0) + 1
      if (!isDeepStrictEqual(treeOf(applied.disk), before)) applied = await fixture(tree)
    }
    expect(treeOf(checked.disk)).toEqual(before)
    expect(Object.keys(outcomes).toSorted()).toEqual(
      ['made', 'changed-meanwhile', 'forbidden', 'into-itself', 'is-a-folder', 'name-taken']
        .concat(['no-space', 'not-a-folder', 'not-empty', 'not-found'])
        .toSorted(),
    )
  }, 120_000)

  test('the check fails in a storage that is read-only', async () => {
    const { storage } = await fixture({ a: 'A' })
    const reading = await storage.narrow({ only: 'read' })
    const removal: IntendedChange = { kind: 'remove', path: p('/a'), recursive: true }
    expect(await refusalCode(reading.check(removal))).toBe('forbidden')
    expect(await refusalCode(storage.check(removal))).toBe(null)
  })
})
