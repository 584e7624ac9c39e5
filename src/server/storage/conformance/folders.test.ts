import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformance, makeTree, outsideFolder, ownVolume, p, refusalCode, treeOf } from './suite.ts'

conformance('F folders and removal', ({ fixture, volume, adapter }) => {
  test('79 a folder can be created with its missing parents, may already exist on request, and cannot replace a file', async () => {
    const { disk, storage } = await fixture({ file: 'x', alias: { link: 'made' } })
    expect((await storage.apply({ kind: 'makeFolder', path: p('/made') })).kind).toBe('folder')
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/made') }))).toBe('name-taken')
    expect((await storage.apply({ kind: 'makeFolder', path: p('/made'), mayExist: true })).kind).toBe(
      'folder',
    )
    expect(
      (await storage.apply({ kind: 'makeFolder', path: p('/alias'), mayExist: true })).target?.kind,
    ).toBe('folder')
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/alias') }))).toBe('name-taken')
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/a/b/c') }))).toBe('not-found')
    await storage.apply({ kind: 'makeFolder', path: p('/a/b/c'), parents: true })
    await storage.apply({ kind: 'makeFolder', path: p('/alias/d/e'), parents: true })
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/file'), mayExist: true }))).toBe(
      'name-taken',
    )
    expect(
      await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/file/below'), parents: true })),
    ).toBe('not-a-folder')
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/') }))).toBe('name-taken')
    expect((await storage.apply({ kind: 'makeFolder', path: p('/'), mayExist: true })).kind).toBe('folder')
    expect(treeOf(disk)).toEqual({
      file: 'x',
      alias: { link: 'made' },
      made: { d: { e: {} } },
      a: { b: { c: {} } },
    })
  })

  test('80 twenty concurrent calls can create the same folders', async () => {
    const { disk, storage } = await fixture()
    const options = { parents: true, mayExist: true }
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) =>
        storage.apply({ kind: 'makeFolder', path: p(`/a/b/c/d${at % 4}`), ...options }),
      ),
    )
    expect(treeOf(disk)).toEqual({ a: { b: { c: { d0: {}, d1: {}, d2: {}, d3: {} } } } })
  })

  test('81 a file is removed, and a missing file is not-found', async () => {
    const { disk, storage } = await fixture({ file: 'x' })
    await storage.apply({ kind: 'remove', path: p('/file'), recursive: false })
    expect(await refusalCode(storage.apply({ kind: 'remove', path: p('/file'), recursive: false }))).toBe(
      'not-found',
    )
    expect(await refusalCode(storage.apply({ kind: 'remove', path: p('/no/file'), recursive: true }))).toBe(
      'not-found',
    )
    expect(treeOf(disk)).toEqual({})
  })

  test('82 a folder with entries is removed only recursively', async () => {
    const { disk, storage } = await fixture({ sub: { deep: { file: 'x' }, dead: { link: 'no' } }, empty: {} })
    expect(await refusalCode(storage.apply({ kind: 'remove', path: p('/sub'), recursive: false }))).toBe(
      'not-empty',
    )
    await storage.apply({ kind: 'remove', path: p('/empty'), recursive: false })
    expect(treeOf(disk)).toEqual({ sub: { deep: { file: 'x' }, dead: { link: 'no' } } })
    await storage.apply({ kind: 'remove', path: p('/sub'), recursive: true })
    expect(treeOf(disk)).toEqual({})
  })

  test('84 removal never follows a link', async () => {
    const away = outsideFolder({ file: 'theirs' })
    const { disk, storage } = await fixture({
      kept: { file: 'x' },
      tree: { out: { link: away }, in: { link: '../kept' }, up: { link: '..' } },
      in: { link: 'kept' },
    })
    await storage.apply({ kind: 'remove', path: p('/tree'), recursive: true })
    await storage.apply({ kind: 'remove', path: p('/in'), recursive: true })
    expect([treeOf(disk), treeOf(away)]).toEqual([{ kept: { file: 'x' } }, { file: 'theirs' }])
  })

  test('86 removing the last file keeps the folder', async () => {
    const { disk, storage } = await fixture({ sub: { file: 'x' } })
    await storage.apply({ kind: 'remove', path: p('/sub/file'), recursive: false })
    expect(treeOf(disk)).toEqual({ sub: {} })
  })

  test('87 the root cannot be removed or moved', async () => {
    const { disk, storage } = await fixture({ file: 'x' })
    expect(await refusalCode(storage.apply({ kind: 'remove', path: p('/'), recursive: true }))).toBe(
      'forbidden',
    )
    expect(
      await refusalCode(storage.apply({ kind: 'move', path: p('/'), to: p('/sub'), overwrite: 'create' })),
    ).toBe('forbidden')
    expect(await refusalCode(volume().apply({ kind: 'remove', path: p('/'), recursive: true }))).toBe(
      'forbidden',
    )
    expect(treeOf(disk)).toEqual({ file: 'x' })
  })

  test('a tree whose removal a crash interrupted is swept', async () => {
    const [root, stateFolder] = [outsideFolder(), outsideFolder()]
    makeTree(root, { tree: { a: { b: 'x' } } })
    const before = adapter.createVolume({ root, stateFolder })
    await before.apply({ kind: 'remove', path: p('/tree'), recursive: true })
    expect(readdirSync(stateFolder)).toHaveLength(1)
    await before.close()
    expect(readdirSync(stateFolder)).toEqual([])
    const after = ownVolume(() => adapter.createVolume({ root, stateFolder }))
    expect(await after.sweep()).toBe(0)
    expect(readdirSync(join(root))).toEqual([])
  })
})
