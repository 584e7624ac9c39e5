import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pathOf } from '../../../shared/domain/path.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { bodyOf, conformance, listAll, listNames, p, readAll, refusalCode, treeOf, walkAll } from './suite.ts'

const staged = `.${'0a'.repeat(16)}.stowage-part`

conformance('A names', ({ fixture, volume, top }) => {
  test('1 the root is a folder', async () => {
    const { storage } = await fixture()
    expect((await storage.stat(p('/'))).kind).toBe('folder')
    expect((await volume().stat(p('/'))).kind).toBe('folder')
  })

  test('2 a name may have 255 bytes', async () => {
    const { storage } = await fixture()
    const name = `${'ä'.repeat(127)}x`
    await storage.apply({ kind: 'write', path: p(`/${name}`), body: bodyOf('bytes'), overwrite: 'create' })
    expect([await listNames(storage), await readAll(storage, `/${name}`)]).toEqual([[name], 'bytes'])
  })

  test('3 a name of 256 bytes is refused', async () => {
    const { storage } = await fixture()
    const path = `/${'x'.repeat(256)}` as Path
    expect(pathOf(path)).toBe(null)
    expect(
      await refusalCode(storage.apply({ kind: 'write', path, body: bodyOf('bytes'), overwrite: 'create' })),
    ).toBe('bad-name')
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path }))).toBe('bad-name')
    expect(await refusalCode(storage.stat(path))).toBe('bad-name')
  })

  test('4 a path may have 4,096 bytes', async () => {
    const { storage } = await fixture()
    const path = `/${Array.from({ length: 16 }, () => 'd'.repeat(255)).join('/')}`
    expect(path.length).toBe(4096)
    await storage.apply({
      kind: 'write',
      path: p(path),
      body: bodyOf('deep'),
      overwrite: 'create',
      parents: true,
    })
    expect(await readAll(storage, path)).toBe('deep')
    await storage.apply({ kind: 'remove', path: p(`/${'d'.repeat(255)}`), recursive: true })
    expect(await listNames(storage)).toEqual([])
  })

  test('5 a longer path is not parsed', () => {
    expect(pathOf(`/${Array.from({ length: 16 }, () => 'd'.repeat(255)).join('/')}/e`)).toBe(null)
  })

  test('6 composed and decomposed letters stay two files', async () => {
    const { storage } = await fixture()
    for (const name of ['\u00e9', 'e\u0301'])
      await storage.apply({ kind: 'write', path: p(`/${name}`), body: bodyOf(name), overwrite: 'create' })
    expect((await listNames(storage)).toSorted()).toEqual(['e\u0301', '\u00e9'])
    expect(await readAll(storage, '/e\u0301')).toBe('e\u0301')
  })

  test.each([
    ['7 emoji', '😀🏳️‍🌈'],
    ['7 right-to-left', 'שלום مرحبا'],
    ['8 spaces at both ends', ' both '],
    ['8 a dot at the end', 'end.'],
    ['8 a leading dot', '.hidden'],
    ['8 a tilde', '~'],
    ['9 CR at both ends', '\rname\r'],
    ['9 LF at both ends', '\nname\n'],
    ['9 HT at both ends', '\tname\t'],
    ['9 VT at both ends', '\vname\v'],
    ['9 DEL at both ends', '\u007fname\u007f'],
    ['10 signs', '% %2F + # ? & " \' \\ * : < > |'],
  ])('%s in a name', async (_case, name) => {
    const { disk, storage } = await fixture()
    const entry = await storage.apply({
      kind: 'write',
      path: p(`/${name}`),
      body: bodyOf('first'),
      overwrite: 'create',
    })
    expect([entry.name, await listNames(storage), readdirSync(disk)]).toEqual([name, [name], [name]])
    await storage.apply({ kind: 'move', path: p(`/${name}`), to: p(`/${name}2`), overwrite: 'create' })
    await storage.apply({ kind: 'copy', path: p(`/${name}2`), to: p(`/${name}`), overwrite: 'create' })
    await storage.apply({ kind: 'remove', path: p(`/${name}2`), recursive: false })
    expect(treeOf(disk)).toEqual({ [name]: 'first' })
  })

  test('11 dots, empty names and NUL are not valid names', () => {
    expect(['/.', '/..', '/a/../b', '/a\0b'].map(pathOf)).toEqual([null, null, null, null])
    expect(pathOf('//a//')).toBe('/a')
  })

  test('12 names with invalid UTF-8 are listed, renamed and deleted', async () => {
    const { disk, storage } = await fixture()
    const bytes = Buffer.from([0x66, 0xff, 0xfe, 0x80, 0x2e, 0x74, 0x78, 0x74])
    writeFileSync(Buffer.concat([Buffer.from(`${disk}/`), bytes]), 'old')
    const [name] = await listNames(storage)
    expect(name).toBe('f\udcff\udcfe\udc80.txt')
    expect(await walkAll(storage)).toEqual([`/${name}`])
    expect(await readAll(storage, `/${name}`)).toBe('old')
    await storage.apply({ kind: 'write', path: p(`/${name}`), body: bodyOf('new'), overwrite: 'replace' })
    await storage.apply({ kind: 'move', path: p(`/${name}`), to: p('/plain.txt'), overwrite: 'create' })
    expect(treeOf(disk)).toEqual({ 'plain.txt': 'new' })
    writeFileSync(Buffer.concat([Buffer.from(`${disk}/`), bytes]), 'old')
    await storage.apply({ kind: 'remove', path: p(`/${name}`), recursive: false })
    expect(treeOf(disk)).toEqual({ 'plain.txt': 'new' })
  })

  test('13 names differ in upper and lower case', async () => {
    const { storage } = await fixture({ a: 'lower', A: 'upper' })
    expect([await readAll(storage, '/a'), await readAll(storage, '/A')]).toEqual(['lower', 'upper'])
    expect(await listNames(storage)).toEqual(['A', 'a'])
  })

  test('14 a folder cannot have the name of a file', async () => {
    const { disk, storage } = await fixture({ x: 'file' })
    expect(await refusalCode(storage.apply({ kind: 'makeFolder', path: p('/x') }))).toBe('name-taken')
    expect(treeOf(disk)).toEqual({ x: 'file' })
  })

  test('16 staged names are refused anywhere in a path', async () => {
    const { disk, storage } = await fixture({ [staged]: 'half', sub: { [staged]: { inner: 'x' } } })
    for (const path of [`/${staged}`, `/sub/${staged}`, `/sub/${staged}/inner`]) {
      const calls = [
        storage.stat(p(path)),
        storage.open(p(path)),
        storage.list(p(path), { order: { by: 'name', descending: false, folders: 'first' } }),
        storage.apply({ kind: 'write', path: p(path), body: bodyOf('x'), overwrite: 'upsert' }),
        storage.apply({ kind: 'makeFolder', path: p(path) }),
        storage.apply({ kind: 'remove', path: p(path), recursive: true }),
        storage.apply({ kind: 'move', path: p(path), to: p('/taken'), overwrite: 'create' }),
        storage.apply({ kind: 'copy', path: p('/sub'), to: p(path), overwrite: 'create' }),
        storage.narrow({ at: p(path) }),
      ]
      expect(await Promise.all(calls.map(refusalCode))).toEqual(calls.map(() => 'forbidden'))
    }
    expect([await listNames(storage), await walkAll(storage)]).toEqual([['sub'], ['/sub']])
    expect((await listAll(storage, '/sub')).total).toBe(0)
    expect(treeOf(disk)).toEqual({ [staged]: 'half', sub: { [staged]: { inner: 'x' } } })
  })

  test('16 the state folder is refused at the top of the volume, and only there', async () => {
    const { disk, storage } = await fixture({ '.stowage': { mine: 'x' } })
    expect(await readAll(storage, '/.stowage/mine')).toBe('x')
    await volume().apply({ kind: 'makeFolder', path: p('/seen'), mayExist: true })
    const own = await refusalCode(volume().stat(p('/.stowage')))
    expect(own).toBe('forbidden')
    await storage.apply({ kind: 'makeFolder', path: p('/.stowage/deeper') })
    expect(
      await refusalCode(volume().apply({ kind: 'makeFolder', path: p('/.stowage/trash'), parents: true })),
    ).toBe('forbidden')
    expect(await refusalCode(volume().narrow({ at: p('/.stowage') }))).toBe('forbidden')
    expect(readdirSync(top())).not.toContain('.stowage')
    expect(readdirSync(join(disk, '.stowage')).toSorted()).toEqual(['deeper', 'mine'])
  })
})
