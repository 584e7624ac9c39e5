import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformance, makeTree, outside, ownVolume, p, refusal, treeOf } from './world.ts'

conformance('F folders and removal', ({ world, volume, adapter }) => {
  test('79 a new folder, one that may exist, missing ones above, and a file in the way', async () => {
    const { disk, storage } = await world({ file: 'x', alias: { link: 'made' } })
    expect((await storage.makeFolder(p('/made'))).kind).toBe('folder')
    expect(await refusal(storage.makeFolder(p('/made')))).toBe('name-taken')
    expect((await storage.makeFolder(p('/made'), { mayExist: true })).kind).toBe('folder')
    expect((await storage.makeFolder(p('/alias'), { mayExist: true })).target?.kind).toBe('folder')
    expect(await refusal(storage.makeFolder(p('/alias')))).toBe('name-taken')
    expect(await refusal(storage.makeFolder(p('/a/b/c')))).toBe('not-found')
    await storage.makeFolder(p('/a/b/c'), { parents: true })
    await storage.makeFolder(p('/alias/d/e'), { parents: true })
    expect(await refusal(storage.makeFolder(p('/file'), { mayExist: true }))).toBe('name-taken')
    expect(await refusal(storage.makeFolder(p('/file/below'), { parents: true }))).toBe('not-a-folder')
    expect(await refusal(storage.makeFolder(p('/')))).toBe('name-taken')
    expect((await storage.makeFolder(p('/'), { mayExist: true })).kind).toBe('folder')
    expect(treeOf(disk)).toEqual({
      file: 'x',
      alias: { link: 'made' },
      made: { d: { e: {} } },
      a: { b: { c: {} } },
    })
  })

  test('80 twenty who make the same folders at once', async () => {
    const { disk, storage } = await world()
    const options = { parents: true, mayExist: true }
    await Promise.all(
      Array.from({ length: 20 }, async (_, at) => storage.makeFolder(p(`/a/b/c/d${at % 4}`), options)),
    )
    expect(treeOf(disk)).toEqual({ a: { b: { c: { d0: {}, d1: {}, d2: {}, d3: {} } } } })
  })

  test('81 a file goes; a missing one is not-found', async () => {
    const { disk, storage } = await world({ file: 'x' })
    await storage.remove(p('/file'), { recursive: false })
    expect(await refusal(storage.remove(p('/file'), { recursive: false }))).toBe('not-found')
    expect(await refusal(storage.remove(p('/no/file'), { recursive: true }))).toBe('not-found')
    expect(treeOf(disk)).toEqual({})
  })

  test('82 a folder that holds something goes only as a whole', async () => {
    const { disk, storage } = await world({ sub: { deep: { file: 'x' }, dead: { link: 'no' } }, empty: {} })
    expect(await refusal(storage.remove(p('/sub'), { recursive: false }))).toBe('not-empty')
    await storage.remove(p('/empty'), { recursive: false })
    expect(treeOf(disk)).toEqual({ sub: { deep: { file: 'x' }, dead: { link: 'no' } } })
    await storage.remove(p('/sub'), { recursive: true })
    expect(treeOf(disk)).toEqual({})
  })

  test('84 removal never follows a link', async () => {
    const away = outside({ file: 'theirs' })
    const { disk, storage } = await world({
      kept: { file: 'x' },
      tree: { out: { link: away }, in: { link: '../kept' }, up: { link: '..' } },
      in: { link: 'kept' },
    })
    await storage.remove(p('/tree'), { recursive: true })
    await storage.remove(p('/in'), { recursive: true })
    expect([treeOf(disk), treeOf(away)]).toEqual([{ kept: { file: 'x' } }, { file: 'theirs' }])
  })

  test('86 the last file goes, the folder stays', async () => {
    const { disk, storage } = await world({ sub: { file: 'x' } })
    await storage.remove(p('/sub/file'), { recursive: false })
    expect(treeOf(disk)).toEqual({ sub: {} })
  })

  test('87 the root is refused', async () => {
    const { disk, storage } = await world({ file: 'x' })
    expect(await refusal(storage.remove(p('/'), { recursive: true }))).toBe('forbidden')
    expect(await refusal(storage.move(p('/'), p('/sub'), { overwrite: 'create' }))).toBe('forbidden')
    expect(await refusal(volume().remove(p('/'), { recursive: true }))).toBe('forbidden')
    expect(treeOf(disk)).toEqual({ file: 'x' })
  })

  test('a tree that was being removed when the server died is swept', async () => {
    const [root, stateFolder] = [outside(), outside()]
    makeTree(root, { tree: { a: { b: 'x' } } })
    const before = adapter.make({ root, stateFolder })
    await before.remove(p('/tree'), { recursive: true })
    await before.close()
    expect(readdirSync(stateFolder)).toEqual(['staged'])
    const after = ownVolume(() => adapter.make({ root, stateFolder }))
    expect(await after.sweep()).toBe(0)
    expect(readdirSync(join(root))).toEqual([])
  })
})
