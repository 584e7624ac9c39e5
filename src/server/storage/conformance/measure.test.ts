import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformance, makeTree, outsideFolder, ownVolume, p, refusalCode, treeOf } from './suite.ts'

conformance('measuring', ({ fixture, adapter }) => {
  const tree = {
    a: '12',
    deep: { b: '345', deeper: { c: '6' }, link: { link: '../a' }, out: { link: '/etc/hostname' } },
    folder: { link: 'deep' },
    dead: { link: 'nothing' },
  }

  test('the size of a path is the total size of all files at and below it, without following links', async () => {
    const { storage } = await fixture(tree)
    expect(await storage.measure(p('/'))).toBe(6)
    expect(await storage.measure(p('/deep'))).toBe(4)
    expect(await storage.measure(p('/a'))).toBe(2)
    expect(await storage.measure(p('/deep/link'))).toBe(2)
    expect(await storage.measure(p('/folder'))).toBe(4)
  })

  test('with `follows`, links to files count as copies, and links to the outside do not', async () => {
    const { storage } = await fixture(tree)
    expect(await storage.measure(p('/deep'), { follows: true })).toBe(6)
    expect(await storage.measure(p('/'), { follows: true })).toBe(8)
  })

  test('hidden and denied entries below a path are counted, and a denied path is refused', async () => {
    const { storage } = await fixture({ '.hidden': '1', no: { deep: '23' } })
    const narrow = await storage.narrow({
      permits: (path) => !path.startsWith('/no'),
      hides: (path) => path.includes('/.'),
    })
    expect(await narrow.measure(p('/'))).toBe(3)
    expect(await refusalCode(narrow.measure(p('/no')))).toBe('forbidden')
    expect(await refusalCode(narrow.measure(p('/missing')))).toBe('not-found')
    expect(await refusalCode((await storage.narrow({ only: 'write' })).measure(p('/')))).toBe('forbidden')
  })

  test('staged files are not counted', async () => {
    const { storage } = await fixture({ a: '1' })
    const session = await storage.apply({ kind: 'begin', path: p('/b'), overwrite: 'create', sizeBytes: 3 })
    const body = (async function* () {
      yield Buffer.from('xyz')
    })()
    await storage.apply({
      kind: 'put',
      overwrite: 'create',
      upload: session,
      part: { offsetBytes: 0, maxBytes: 3, body },
    })
    expect(await storage.measure(p('/'))).toBe(1)
    await storage.apply({ kind: 'commit', upload: session, overwrite: 'create' })
    expect(await storage.measure(p('/'))).toBe(4)
  })

  test('the server’s own files are not counted', async () => {
    const disk = outsideFolder({ 'own.db': '12345', a: '1' })
    const { dev, ino } = statSync(join(disk, 'own.db'), { bigint: true })
    const volume = ownVolume(() =>
      adapter.createVolume({ root: disk, reservedFiles: () => ({ files: [{ dev, ino }], prefixes: [] }) }),
    )
    expect(await volume.measure(p('/'))).toBe(1)
  })

  test('a copy that exceeds the limit by one byte leaves nothing', async () => {
    const disk = outsideFolder({})
    makeTree(disk, { from: { a: '12', b: { c: '345' } }, file: '1234' })
    const volume = ownVolume(() => adapter.createVolume({ root: disk }))
    const before = treeOf(disk)
    const copy = (from: string, to: string, maxBytes: number) =>
      volume.apply({ kind: 'copy', path: p(from), to: p(to), overwrite: 'create', maxBytes })
    expect(await refusalCode(copy('/from', '/to', 4))).toBe('over-quota')
    expect(await refusalCode(copy('/file', '/to', 3))).toBe('over-quota')
    expect(treeOf(disk)).toEqual(before)
    await copy('/from', '/to', 5)
    await copy('/file', '/other', 4)
    expect(treeOf(disk)).toEqual({ ...before, to: before['from'], other: '1234' })
  })

  test('the limit of a copy deducts the file that it replaces', async () => {
    const { disk, storage } = await fixture({
      new: '12345',
      old: '123',
      from: { old: '12345' },
      into: { old: '1' },
    })
    const copy = (from: string, to: string, maxBytes: number) =>
      refusalCode(storage.apply({ kind: 'copy', path: p(from), to: p(to), overwrite: 'upsert', maxBytes }))
    expect([await copy('/new', '/old', 1), await copy('/from', '/into', 3)]).toEqual([
      'over-quota',
      'over-quota',
    ])
    expect(treeOf(disk)).toMatchObject({ old: '123', into: { old: '1' } })
    expect([await copy('/new', '/old', 2), await copy('/from', '/into', 4)]).toEqual([null, null])
    expect(treeOf(disk)).toMatchObject({ old: '12345', into: { old: '12345' } })
  })
})
