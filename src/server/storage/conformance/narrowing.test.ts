import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import type { Change, ChangeKind } from '../change.ts'
import {
  bodyOf,
  conformance,
  listAll,
  listNames,
  openDescriptors,
  p,
  readAll,
  refusalCode,
  refusalCodes,
  treeOf,
  walkAll,
} from './suite.ts'

const outsideOf = (folder: string) => (path: Path) => path !== folder && !path.startsWith(`${folder}/`)
const hasHiddenName = (path: Path) => path.includes('/.')

/** Returns a change of each kind. A new kind does not compile until it is added here. */
function changesOf(path: Path, to: Path): readonly Change[] {
  const upload = { path, token: '' }
  const changes: { readonly [Kind in ChangeKind]: Change<Kind> } = {
    write: { kind: 'write', path, body: bodyOf('x'), overwrite: 'upsert' },
    begin: { kind: 'begin', path, overwrite: 'upsert' },
    put: {
      kind: 'put',
      upload,
      overwrite: 'upsert',
      part: { offsetBytes: 0, maxBytes: 1, body: bodyOf('x') },
    },
    commit: { kind: 'commit', upload, overwrite: 'upsert' },
    abort: { kind: 'abort', upload },
    makeFolder: { kind: 'makeFolder', path: to },
    move: { kind: 'move', path, to, overwrite: 'create' },
    copy: { kind: 'copy', path, to, overwrite: 'create' },
    remove: { kind: 'remove', path, recursive: false },
    setFolderTime: { kind: 'setFolderTime', path, modifiedMs: 0, ifMatch: '' },
  }
  return Object.values(changes)
}

conformance('N narrowing', ({ fixture }) => {
  test('144 a link to a sibling of the root is not listed, and every call on it is forbidden', async () => {
    const { disk, storage } = await fixture({
      ann: { out: { link: '../bea' }, own: 'x' },
      bea: { secret: 's' },
    })
    writeFileSync(join(disk, 'ann/plain'), '')
    const ann = await storage.narrow({ at: p('/ann') })
    expect(await listNames(ann)).toEqual(['own', 'plain'])
    expect(await walkAll(ann)).toEqual(['/own', '/plain'])
    for (const path of ['/out', '/out/secret', '/out/nothing'])
      expect([path, ...new Set(await refusalCodes(ann, path))]).toEqual([path, 'forbidden'])
    expect(await listNames(storage, '/ann')).toEqual(['out', 'own', 'plain'])
    expect(treeOf(join(disk, 'bea'))).toEqual({ secret: 's' })
  })

  test('145 rules that deny the target of a link also deny the link', async () => {
    const { disk, storage } = await fixture({
      open: { a: '1' },
      shut: { b: '2', deep: { c: '3' } },
      'to-shut': { link: 'shut' },
      'to-b': { link: 'shut/b' },
      'to-none': { link: 'shut/none' },
      'to-open': { link: 'open' },
    })
    const tree = treeOf(disk)
    const ann = await storage.narrow({ permits: outsideOf('/shut') })
    expect(await listNames(ann)).toEqual(['open', 'to-open'])
    expect(await walkAll(ann)).toEqual(['/open', '/open/a', '/to-open'])
    for (const path of [
      '/shut',
      '/shut/b',
      '/to-shut',
      '/to-shut/b',
      '/to-shut/deep/c',
      '/to-b',
      '/to-none',
      '/shut/no',
    ]) {
      const calls = [
        ann.stat(p(path)),
        ann.open(p(path)),
        listAll(ann, path),
        ann.apply({ kind: 'write', path: p(path), body: bodyOf('x'), overwrite: 'upsert' }),
        ann.apply({ kind: 'makeFolder', path: p(`${path}/made`), parents: true }),
        ann.apply({ kind: 'remove', path: p(path), recursive: true }),
        ann.apply({ kind: 'move', path: p(path), to: p('/moved'), overwrite: 'create' }),
        ann.apply({ kind: 'copy', path: p(path), to: p('/copy'), overwrite: 'create' }),
        ann.apply({ kind: 'copy', path: p('/open/a'), to: p(path), overwrite: 'upsert' }),
        ann.narrow({ at: p(path) }),
      ]
      expect([path, ...(await Promise.all(calls.map(refusalCode)))]).toEqual([
        path,
        ...calls.map(() => 'forbidden'),
      ])
    }
    expect(await readAll(ann, '/to-open/a')).toBe('1')
    expect(treeOf(disk)).toEqual(tree)
  })

  test('145 rules get paths relative to the narrowed root', async () => {
    const { storage } = await fixture({ ann: { docs: { a: '1' }, alias: { link: 'docs' } } })
    const checkedPaths = new Set<string>()
    const ann = await storage.narrow({ at: p('/ann'), permits: (path) => checkedPaths.add(path).size > 0 })
    await readAll(ann, '/alias/a')
    expect([...checkedPaths].toSorted()).toEqual(['/alias/a', '/docs/a'])
  })

  test('operations on a tree are refused when a rule denies an entry in the tree, or at the target', async () => {
    const { disk, storage } = await fixture({
      tree: { a: '1', sub: { no: 's' } },
      free: { no: 'x' },
      there: {},
    })
    const tree = treeOf(disk)
    const ann = await storage.narrow({ permits: outsideOf('/tree/sub/no') })
    const bea = await storage.narrow({ permits: outsideOf('/there/free/no') })
    const calls = [
      ann.apply({ kind: 'remove', path: p('/tree'), recursive: true }),
      ann.apply({ kind: 'move', path: p('/tree'), to: p('/moved'), overwrite: 'create' }),
      ann.apply({ kind: 'copy', path: p('/tree'), to: p('/copied'), overwrite: 'create' }),
      bea.apply({ kind: 'move', path: p('/free'), to: p('/there/free'), overwrite: 'create' }),
      bea.apply({ kind: 'copy', path: p('/free'), to: p('/there/free'), overwrite: 'create' }),
    ]
    expect(await Promise.all(calls.map(refusalCode))).toEqual(calls.map(() => 'forbidden'))
    expect(treeOf(disk)).toEqual(tree)
  })

  test('missing parents are created, and trees are placed, only where rules allow it', async () => {
    const { disk, storage } = await fixture({ free: { no: 'x' }, alias: { link: 'there' }, there: {} })
    const ann = await storage.narrow({ permits: (path) => path !== '/shut' && path !== '/there/free/no' })
    const calls = [
      ann.apply({ kind: 'makeFolder', path: p('/shut/open'), parents: true }),
      ann.apply({
        kind: 'write',
        path: p('/shut/open/file'),
        body: bodyOf('x'),
        overwrite: 'create',
        parents: true,
      }),
      ann.apply({ kind: 'move', path: p('/free'), to: p('/alias/free'), overwrite: 'create' }),
      ann.apply({ kind: 'copy', path: p('/free'), to: p('/alias/free'), overwrite: 'create' }),
    ]
    expect(await Promise.all(calls.map(refusalCode))).toEqual(calls.map(() => 'forbidden'))
    expect(treeOf(disk)).toEqual({ free: { no: 'x' }, alias: { link: 'there' }, there: {} })
  })

  test('hidden entries are neither listed nor accessible, but operations on a tree include them', async () => {
    const { disk, storage } = await fixture({ tree: { '.hidden': 'h', a: '1' }, '.top': 't' })
    const ann = await storage.narrow({ hides: hasHiddenName })
    expect([await listNames(ann), await listNames(ann, '/tree')]).toEqual([['tree'], ['a']])
    expect((await listAll(ann, '/tree')).total).toBe(1)
    expect(await refusalCode(ann.stat(p('/tree/.hidden')))).toBe('forbidden')
    expect(
      await refusalCode(
        ann.apply({ kind: 'write', path: p('/.new'), body: bodyOf('x'), overwrite: 'create' }),
      ),
    ).toBe('forbidden')
    await ann.apply({ kind: 'copy', path: p('/tree'), to: p('/copy'), overwrite: 'create' })
    await ann.apply({ kind: 'move', path: p('/tree'), to: p('/moved'), overwrite: 'create' })
    expect(treeOf(disk)).toEqual({
      copy: { '.hidden': 'h', a: '1' },
      moved: { '.hidden': 'h', a: '1' },
      '.top': 't',
    })
    await ann.apply({ kind: 'remove', path: p('/moved'), recursive: true })
    expect(treeOf(disk)).toEqual({ copy: { '.hidden': 'h', a: '1' }, '.top': 't' })
  })

  test('146 narrowing a narrowed storage never widens it', async () => {
    const { storage } = await fixture({ ann: { shared: { a: '1', b: '2', '.c': '3' }, other: 'o' }, bea: {} })
    const ann = await storage.narrow({ at: p('/ann'), permits: outsideOf('/shared/a'), hides: hasHiddenName })
    const guest = await ann.narrow({
      at: p('/shared'),
      only: 'read',
      permits: () => true,
      hides: () => false,
    })
    expect(await listNames(guest)).toEqual(['b'])
    expect(await refusalCode(guest.stat(p('/a')))).toBe('forbidden')
    expect(await refusalCode(guest.stat(p('/.c')))).toBe('forbidden')
    const again = await guest.narrow({ only: 'write' })
    const calls = [
      ...changesOf(p('/b'), p('/c')).map((change) => guest.apply(change)),
      again.apply({ kind: 'write', path: p('/b'), body: bodyOf('x'), overwrite: 'upsert' }),
      again.open(p('/b')),
      listAll(again, '/'),
      ann.narrow({ at: p('/shared/a') }),
    ]
    expect(await Promise.all(calls.map(refusalCode))).toEqual(calls.map(() => 'forbidden'))
    expect(await readAll(guest, '/b')).toBe('2')
    expect(await refusalCode(ann.narrow({ at: p('/other') }))).toBe('not-a-folder')
    expect(await refusalCode(ann.narrow({ at: p('/none') }))).toBe('not-found')
  })

  test('146 the rules of the outer storage apply when the new root was reached through a link', async () => {
    const { storage } = await fixture({ real: { no: 's', yes: 'y' }, alias: { link: 'real' } })
    const ann = await storage.narrow({ permits: outsideOf('/real/no') })
    const guest = await ann.narrow({ at: p('/alias') })
    expect(await listNames(guest)).toEqual(['yes'])
    expect(await refusalCode(guest.open(p('/no')))).toBe('forbidden')
  })

  test('147 a narrowed root that is renamed stays the same folder', async () => {
    const { disk, storage } = await fixture({ ann: { a: 'hers' } })
    const ann = await storage.narrow({ at: p('/ann') })
    renameSync(join(disk, 'ann'), join(disk, 'elsewhere'))
    mkdirSync(join(disk, 'ann'))
    writeFileSync(join(disk, 'ann/a'), 'another')
    expect(await readAll(ann, '/a')).toBe('hers')
    await ann.apply({ kind: 'write', path: p('/b'), body: bodyOf('new'), overwrite: 'create' })
    expect(treeOf(disk)).toEqual({ ann: { a: 'another' }, elsewhere: { a: 'hers', b: 'new' } })
    expect(await readAll(await storage.narrow({ at: p('/ann') }), '/a')).toBe('another')
  })

  test('storages of the same folder share its descriptor', async () => {
    const { disk, storage } = await fixture({ ann: {} })
    const first = await storage.narrow({ at: p('/ann') })
    const open = (): number => openDescriptors(join(disk, 'ann'))
    expect(open()).toBe(1)
    const more = await Promise.all(Array.from({ length: 200 }, async () => storage.narrow({ at: p('/ann') })))
    await expect.poll(open).toBe(1)
    expect([first, ...more].length).toBe(201)
  })
})
