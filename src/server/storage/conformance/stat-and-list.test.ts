import { chmodSync, mkdirSync, mkdtempSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fileTypes } from '../../../shared/domain/file-types.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import { entryFlag } from '../port.ts'
import { adapters } from './adapters.ts'
import { byName, conformance, listAll, listNames, ownVolume, p, refusalCode, walkAll } from './suite.ts'

const order = (
  by: ListingOrder['by'],
  descending: boolean,
  folders: ListingOrder['folders'] = 'first',
): ListingOrder => ({
  by,
  descending,
  folders,
})

conformance('B stat, list, walk', ({ fixture }) => {
  test('17 a missing entry is not-found', async () => {
    const { storage } = await fixture()
    expect(await refusalCode(storage.stat(p('/nope')))).toBe('not-found')
  })

  test('18 a missing parent is not-found', async () => {
    const { storage } = await fixture()
    expect(await refusalCode(storage.stat(p('/nope/deeper/still')))).toBe('not-found')
  })

  test('19 a path below a file is not-a-folder', async () => {
    const { storage } = await fixture({ file: 'x' })
    expect(await refusalCode(storage.stat(p('/file/below')))).toBe('not-a-folder')
    expect(await refusalCode(storage.open(p('/file/below')))).toBe('not-a-folder')
    expect(
      await refusalCode(storage.apply({ kind: 'remove', path: p('/file/below'), recursive: true })),
    ).toBe('not-a-folder')
  })

  test('an entry has the metadata of its file', async () => {
    const { disk, storage } = await fixture({ 'a.txt': 'four', sub: {} })
    chmodSync(join(disk, 'a.txt'), 0o4751)
    utimesSync(join(disk, 'a.txt'), 1_700_000_000.25, 1_700_000_000.25)
    expect(await storage.stat(p('/a.txt'))).toEqual({
      name: 'a.txt',
      kind: 'file',
      sizeBytes: 4,
      modifiedMs: 1_700_000_000_250,
      mode: 0o104751,
      etag: expect.stringMatching(/^[0-9a-z-]+$/),
    })
    expect((await storage.stat(p('/sub'))).kind).toBe('folder')
  })

  test('20 an empty folder has no rows', async () => {
    const { storage } = await fixture()
    expect(await listAll(storage, '/')).toEqual({ total: 0, folders: 0, rows: [] })
    expect(await walkAll(storage)).toEqual([])
  })

  test('21 listing a missing folder is not-found', async () => {
    const { storage } = await fixture()
    expect(await refusalCode(listAll(storage, '/nope'))).toBe('not-found')
    expect(await refusalCode(walkAll(storage, '/nope'))).toBe('not-found')
  })

  test('22 listing a file is not-a-folder', async () => {
    const { storage } = await fixture({ file: 'x' })
    expect(await refusalCode(listAll(storage, '/file'))).toBe('not-a-folder')
    expect(await refusalCode(walkAll(storage, '/file'))).toBe('not-a-folder')
  })

  test('23 a listing with one entry more than two pages is complete, and its first page is small', async () => {
    const names = Array.from({ length: 256 + 4096 + 1 }, (_, at) => `file ${at}`)
    const { storage } = await fixture(Object.fromEntries(names.map((name) => [name, ''])))
    const listing = await storage.list(p('/'), { order: byName })
    const sizes: number[] = []
    const seen: string[] = []
    for await (const page of listing.pages) {
      sizes.push(page.names.length)
      seen.push(...page.names)
    }
    expect([listing.total, listing.folders, sizes[0], sizes.length]).toEqual([4353, 0, 256, 3])
    expect(seen).toEqual(names)
  })

  test('rows contain the metadata of the entries', async () => {
    const { disk, storage } = await fixture({ 'b.jpg': '123', a: {}, 'c.unknownkind': 'text', d: '%PDF-1.7' })
    chmodSync(join(disk, 'b.jpg'), 0o604)
    utimesSync(join(disk, 'b.jpg'), 1000, 1_600_000_000.5)
    const { rows } = await listAll(storage, '/')
    expect(rows.map(({ name, flags, type }) => [name, flags, fileTypes[type]])).toEqual([
      ['a', entryFlag.folder, ''],
      ['b.jpg', 0, 'image'],
      ['c.unknownkind', 0, 'text'],
      ['d', 0, 'text'],
    ])
    expect(rows[1]).toMatchObject({ sizeBytes: 3, modifiedMs: 1_600_000_000_500, mode: 0o100604 })
    const sniffed = await listAll(storage, '/', { sniffs: true })
    expect(sniffed.rows.map(({ type }) => fileTypes[type])).toEqual(['', 'image', 'text', 'pdf'])
  })

  test('a listing describes its folder like stat, also behind links', async () => {
    const { storage } = await fixture({ folder: { below: { a: '' } }, link: { link: 'folder' } })
    for (const path of ['/', '/folder', '/link', '/link/below']) {
      const listing = await storage.list(p(path), { order: byName })
      expect([path, listing.folder]).toEqual([path, await storage.stat(p(path))])
    }
  })

  test('many concurrent listings do not mix their names', async () => {
    const folders = Array.from({ length: 40 }, (_, at) => `folder ${at}`)
    const { storage } = await fixture(
      Object.fromEntries(
        folders.map((name, at) => [name, { [`only ${at}`]: '', link: { link: `only ${at}` } }]),
      ),
    )
    const listed = await Promise.all(folders.map(async (name) => listAll(storage, `/${name}`)))
    expect(listed.map(({ rows }) => rows.map(({ name }) => name))).toEqual(
      folders.map((_, at) => ['link', `only ${at}`]),
    )
  })

  test('the etag of a folder changes when its entries change', async () => {
    const { disk, storage } = await fixture({ a: '' })
    const before = (await storage.list(p('/'), { order: byName })).folder
    expect(before.etag).toBe((await storage.stat(p('/'))).etag)
    await new Promise((resolve) => setTimeout(resolve, 12))
    writeFileSync(join(disk, 'b'), '')
    const after = (await storage.list(p('/'), { order: byName })).folder
    expect(after.etag).not.toBe(before.etag)
  })

  test('25 a listing is sorted as requested', async () => {
    const { disk, storage } = await fixture({
      'f10.txt': '22',
      'F2.txt': '4444',
      'f1.txt': '22',
      z: {},
      Y: {},
    })
    for (const [at, name] of ['Y', 'f1.txt', 'z', 'F2.txt', 'f10.txt'].entries())
      utimesSync(join(disk, name), 1, 1000 + at)
    const orders: readonly (readonly [ListingOrder, readonly string[]])[] = [
      [order('name', false), ['Y', 'z', 'f1.txt', 'F2.txt', 'f10.txt']],
      [order('name', true), ['z', 'Y', 'f10.txt', 'F2.txt', 'f1.txt']],
      [order('name', false, 'last'), ['f1.txt', 'F2.txt', 'f10.txt', 'Y', 'z']],
      [order('name', false, 'mixed'), ['f1.txt', 'F2.txt', 'f10.txt', 'Y', 'z']],
      [order('size', false), ['Y', 'z', 'f1.txt', 'f10.txt', 'F2.txt']],
      [order('size', true, 'last'), ['F2.txt', 'f1.txt', 'f10.txt', 'Y', 'z']],
      [{ ...order('size', true), ignoresFolderSizes: true }, ['Y', 'z', 'F2.txt', 'f1.txt', 'f10.txt']],
      [order('modified', false, 'mixed'), ['Y', 'f1.txt', 'z', 'F2.txt', 'f10.txt']],
      [order('modified', true, 'mixed'), ['f10.txt', 'F2.txt', 'z', 'f1.txt', 'Y']],
      [order('modified', true), ['z', 'Y', 'f10.txt', 'F2.txt', 'f1.txt']],
    ]
    for (const [sorting, names] of orders) expect(await listNames(storage, '/', sorting)).toEqual(names)
  })

  test('25 a walk is depth first, in byte order', async () => {
    const { storage } = await fixture({
      b: { 'z.txt': '', a: { deep: '' } },
      'a.txt': '',
      B: '',
      'b.txt': '',
      ä: '',
    })
    expect(await walkAll(storage)).toEqual([
      '/B',
      '/a.txt',
      '/b',
      '/b/a',
      '/b/a/deep',
      '/b/z.txt',
      '/b.txt',
      '/ä',
    ])
  })

  test('29 a folder that cannot be read does not make list or walk fail', async () => {
    const { disk, storage } = await fixture({ open: { a: '' }, shut: { b: '' } })
    chmodSync(join(disk, 'shut'), 0)
    expect(await listNames(storage)).toEqual(['open', 'shut'])
    expect(await walkAll(storage)).toEqual(expect.arrayContaining(['/open', '/open/a', '/shut']))
    chmodSync(join(disk, 'shut'), 0o700)
  })

  test('30 a walk finds the same entries as the listings of all folders', async () => {
    const { storage } = await fixture({
      a: { b: { c: '1', d: {} }, e: '2' },
      f: {},
      g: '3',
      l: { link: 'a' },
    })
    const found: string[] = []
    const listBelow = async (path: string): Promise<void> => {
      for (const row of (await listAll(storage, path)).rows) {
        const below = `${path === '/' ? '' : path}/${row.name}`
        found.push(below)
        if ((row.flags & (entryFlag.folder | entryFlag.link)) === entryFlag.folder) await listBelow(below)
      }
    }
    await listBelow('/')
    expect((await walkAll(storage)).toSorted()).toEqual(found.toSorted())
  })
})

/** All test cases share one folder, because creating a hundred thousand files takes longer than listing them. */
describe('B a folder of 100,000 files', () => {
  const many = 100_000
  let top = ''
  beforeAll(() => {
    top = mkdtempSync(join(tmpdir(), 'many-'))
    mkdirSync(join(top, 'many'))
    for (let at = 0; at < many; at += 1) writeFileSync(join(top, 'many', `entry-${at}`), '')
  }, 60_000)
  afterAll(() => rmSync(top, { recursive: true, force: true }))

  describe.each(adapters)('$name', ({ createVolume: make }) => {
    test('26 a listing of the folder is returned page by page and needs little memory', async () => {
      const volume = ownVolume(() => make({ root: top }))
      const listing = await volume.list(p('/many'), { order: byName })
      expect(listing.total).toBe(many)
      let next = 0
      let most = 0
      const start = process.memoryUsage().heapUsed
      for await (const page of listing.pages) {
        for (const name of page.names) {
          if (name !== `entry-${next}`) throw new Error(`${name} in place ${next}`)
          next += 1
        }
        most = Math.max(most, process.memoryUsage().heapUsed - start)
      }
      expect(next).toBe(many)
      expect(most).toBeLessThan(40 * 1024 * 1024)
    })

    test('27 an abort stops the listing within a page', async () => {
      const volume = ownVolume(() => make({ root: top, threads: 1 }))
      const control = new AbortController()
      const listing = await volume.list(p('/many'), { order: byName, signal: control.signal })
      let rows = 0
      const reading = async (): Promise<void> => {
        for await (const page of listing.pages) {
          rows += page.names.length
          control.abort()
        }
      }
      expect(await refusalCode(reading())).toBe('aborted')
      expect(rows).toBeLessThan(many)
      // This call succeeds only if the abort has freed the volume's single thread.
      expect((await volume.stat(p('/many'))).kind).toBe('folder')
    })

    test('27 ending the iteration stops the listing', async () => {
      const volume = ownVolume(() => make({ root: top, threads: 1 }))
      const listing = await volume.list(p('/many'), { order: byName })
      for await (const page of listing.pages) if (page.names.length > 0) break
      expect((await volume.stat(p('/many'))).kind).toBe('folder')
    })

    test('28 entries that are removed while the folder is read are skipped', async () => {
      const volume = ownVolume(() => make({ root: top }))
      const gone = Array.from({ length: 500 }, (_, at) => join(top, 'many', `entry-${many - 1 - at}`))
      const listing = await volume.list(p('/many'), { order: byName })
      for (const file of gone) unlinkSync(file)
      const names = new Set<string>()
      for await (const page of listing.pages) for (const name of page.names) names.add(name)
      for (const file of gone) writeFileSync(file, '')
      expect(names.size).toBeGreaterThanOrEqual(many - gone.length)
      expect(names.has('entry-0')).toBe(true)
    })

    test('a walk returns its entries in batches', async () => {
      const volume = ownVolume(() => make({ root: top }))
      let entries = 0
      let most = 0
      for await (const batch of volume.walk(p('/many'))) {
        entries += batch.length
        most = Math.max(most, batch.length)
      }
      expect(entries).toBe(many)
      expect(most).toBeLessThanOrEqual(4096)
    })
  })
})
