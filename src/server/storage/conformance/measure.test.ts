import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { conformance, makeTree, outside, ownVolume, p, refusal, treeOf } from './world.ts'

conformance('measuring', ({ world, adapter }) => {
  const tree = {
    a: '12',
    deep: { b: '345', deeper: { c: '6' }, link: { link: '../a' }, out: { link: '/etc/hostname' } },
    folder: { link: 'deep' },
    dead: { link: 'nothing' },
  }

  test('what the files at and below a path hold, links left alone', async () => {
    const { storage } = await world(tree)
    expect(await storage.measure(p('/'))).toBe(6)
    expect(await storage.measure(p('/deep'))).toBe(4)
    expect(await storage.measure(p('/a'))).toBe(2)
    expect(await storage.measure(p('/deep/link'))).toBe(2)
    expect(await storage.measure(p('/folder'))).toBe(4)
  })

  test('links to files count as copies where that is asked for, those that lead out do not', async () => {
    const { storage } = await world(tree)
    expect(await storage.measure(p('/deep'), { follows: true })).toBe(6)
    expect(await storage.measure(p('/'), { follows: true })).toBe(8)
  })

  test('what is hidden or denied below counts, and what is denied itself is refused', async () => {
    const { storage } = await world({ '.hidden': '1', no: { deep: '23' } })
    const narrow = await storage.narrow({
      permits: (path) => !path.startsWith('/no'),
      hides: (path) => path.includes('/.'),
    })
    expect(await narrow.measure(p('/'))).toBe(3)
    expect(await refusal(narrow.measure(p('/no')))).toBe('forbidden')
    expect(await refusal(narrow.measure(p('/missing')))).toBe('not-found')
    expect(await refusal((await storage.narrow({ only: 'write' })).measure(p('/')))).toBe('forbidden')
  })

  test('what is staged does not count', async () => {
    const { storage } = await world({ a: '1' })
    const session = await storage.begin(p('/b'), { overwrite: 'create', sizeBytes: 3 })
    const body = (async function* () {
      yield Buffer.from('xyz')
    })()
    await storage.put(session, { offsetBytes: 0, mostBytes: 3, body })
    expect(await storage.measure(p('/'))).toBe(1)
    await storage.commit(session, { overwrite: 'create' })
    expect(await storage.measure(p('/'))).toBe(4)
  })

  test('the server’s own files do not count', async () => {
    const disk = outside({ 'own.db': '12345', a: '1' })
    const { dev, ino } = statSync(join(disk, 'own.db'), { bigint: true })
    const volume = ownVolume(() =>
      adapter.make({ root: disk, own: () => ({ files: [{ dev, ino }], prefixes: [] }) }),
    )
    expect(await volume.measure(p('/'))).toBe(1)
  })

  test('a copy of more bytes than may be leaves nothing, by exactly one byte', async () => {
    const disk = outside({})
    makeTree(disk, { from: { a: '12', b: { c: '345' } }, file: '1234' })
    const volume = ownVolume(() => adapter.make({ root: disk }))
    const before = treeOf(disk)
    const copy = (from: string, to: string, mostBytes: number) =>
      volume.copy(p(from), p(to), { overwrite: 'create', mostBytes })
    expect(await refusal(copy('/from', '/to', 4))).toBe('no-space')
    expect(await refusal(copy('/file', '/to', 3))).toBe('no-space')
    expect(treeOf(disk)).toEqual(before)
    await copy('/from', '/to', 5)
    await copy('/file', '/other', 4)
    expect(treeOf(disk)).toEqual({ ...before, to: before['from'], other: '1234' })
  })
})
