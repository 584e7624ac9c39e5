import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import type { Meant, Narrow, Storage } from '../port.ts'
import { body, conformance, p, refusal, treeOf } from './world.ts'
import type { Tree } from './world.ts'

const tree: Tree = {
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

const permits: Narrow['permits'] = (path) => !path.endsWith('.key') && !path.split('/').includes('denied')

const overwrites = ['create', 'replace', 'upsert'] as const
const extras = [{}, { ifMatch: 'other' }, { sizeBytes: Number.MAX_SAFE_INTEGER }] as const
const sides = [false, true] as const

const writesOf = (path: Path): Meant[] =>
  overwrites.flatMap((overwrite) =>
    sides.flatMap((parents) =>
      extras.map((extra): Meant => ({ kind: 'write', path, overwrite, parents, ...extra })),
    ),
  )

const foldersOf = (path: Path): Meant[] =>
  sides.flatMap((parents) =>
    sides.map((mayExist): Meant => ({ kind: 'makeFolder', path, parents, mayExist })),
  )

const transfersOf = (path: Path): Meant[] =>
  paths.flatMap((to) =>
    (['move', 'copy'] as const).flatMap((kind) =>
      (['create', 'upsert'] as const).map((overwrite): Meant => ({ kind, path, to, overwrite })),
    ),
  )

const removalsOf = (path: Path): Meant[] =>
  sides.map((recursive): Meant => ({ kind: 'remove', path, recursive }))

/** Every change of every path, and from every path to every other. */
const changes = paths.flatMap((path) => [
  ...writesOf(path),
  ...foldersOf(path),
  ...transfersOf(path),
  ...removalsOf(path),
])

async function make(storage: Storage, meant: Meant): Promise<unknown> {
  const { path } = meant
  if (meant.kind === 'write') {
    const { overwrite, sizeBytes = 3, ifMatch, parents = false } = meant
    return storage.write(path, body('new'), { overwrite, sizeBytes, ifMatch, parents })
  }
  if (meant.kind === 'makeFolder') {
    const { parents = false, mayExist = false } = meant
    return storage.makeFolder(path, { parents, mayExist })
  }
  if (meant.kind === 'remove') return storage.remove(path, { recursive: meant.recursive })
  return storage[meant.kind](path, meant.to, { overwrite: meant.overwrite })
}

conformance('a change that is only judged', ({ world }) => {
  test('is refused with what the change itself is refused with, and changes nothing', async () => {
    const judged = await world(tree)
    const narrow = await judged.storage.narrow({ permits })
    const before = treeOf(judged.disk)
    const outcomes: Record<string, number> = {}
    let made = await world(tree)
    for (const meant of changes) {
      const verdict = await refusal(narrow.check(meant))
      const outcome = await refusal(make(await made.storage.narrow({ permits }), meant))
      expect([meant, verdict]).toEqual([meant, outcome])
      outcomes[outcome ?? 'made'] = (outcomes[outcome ?? 'made'] ?? 0) + 1
      if (!isDeepStrictEqual(treeOf(made.disk), before)) made = await world(tree)
    }
    expect(treeOf(judged.disk)).toEqual(before)
    expect(Object.keys(outcomes).toSorted()).toEqual(
      ['made', 'changed-meanwhile', 'forbidden', 'into-itself', 'is-a-folder', 'name-taken']
        .concat(['no-space', 'not-a-folder', 'not-empty', 'not-found'])
        .toSorted(),
    )
  }, 120_000)

  test('is refused where only reading is allowed', async () => {
    const { storage } = await world({ a: 'A' })
    const reading = await storage.narrow({ only: 'read' })
    const removal: Meant = { kind: 'remove', path: p('/a'), recursive: true }
    expect(await refusal(reading.check(removal))).toBe('forbidden')
    expect(await refusal(storage.check(removal))).toBe(null)
  })
})
