import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Path } from '../../../shared/domain/path.ts'
import type { Incoming } from '../port.ts'
import { body, can, conformance, makeTree, outside, ownVolume, p, readAll, refusal, treeOf } from './world.ts'

/** Bytes that have come as a whole; by iteration others would be had. */
function come(text: string): { readonly body: Incoming; readonly sizeBytes: number } {
  const bytes = Buffer.from(text)
  return {
    body: Object.assign(body('not as it comes'), { whole: async () => bytes }),
    sizeBytes: bytes.length,
  }
}

const neverWhole = async (): Promise<never> => Promise.reject(new Error('asked for as a whole'))

const mayGive = process.getuid?.() === 0

conformance('D writing what has come as a whole', ({ world, adapter }) => {
  test.each([0, 1, 4096, 64 * 1024])('%i bytes, as they are', async (size) => {
    const { disk, storage } = await world()
    const { body: bytes, sizeBytes } = come('x'.repeat(size))
    const entry = await storage.write(p('/new'), bytes, { overwrite: 'create', sizeBytes })
    expect([entry.name, entry.kind, entry.sizeBytes]).toEqual(['new', 'file', size])
    expect(await storage.stat(p('/new'))).toEqual(entry)
    expect(treeOf(disk)).toEqual({ new: 'x'.repeat(size) })
    expect(statSync(join(disk, 'new')).mode & 0o7777).toBe(0o640 & ~process.umask())
  })

  test('a name that is no text', async () => {
    const { storage } = await world()
    const { body: bytes, sizeBytes } = come('x')
    const entry = await storage.write(p('/f\udcff'), bytes, { overwrite: 'create', sizeBytes })
    expect(await storage.stat(p('/f\udcff'))).toEqual(entry)
  })

  test('a name as long as a disk takes', async () => {
    const { disk, storage } = await world()
    const longest = 'é'.repeat(127) + 'n'
    const put = async (name: string): Promise<string | null> => {
      const { body: bytes, sizeBytes } = come('x')
      return refusal(storage.write(p(`/${name}`), bytes, { overwrite: 'create', sizeBytes }))
    }
    expect([await put(longest), await put(longest)]).toEqual([null, 'name-taken'])
    expect(treeOf(disk)).toEqual({ [longest]: 'x' })
  })

  test('a folder that is renamed while files are put into it: what was answered for is there', async () => {
    const { disk, storage } = await world({ sub: {} })
    const put = async (at: number): Promise<string | null> => {
      const { body: bytes, sizeBytes } = come(`file ${at}`)
      const op = { overwrite: 'create', sizeBytes, parents: true } as const
      return refusal(storage.write(p(`/sub/${at}`), bytes, op))
    }
    const calls = Array.from({ length: 20 }, async (_, at) => put(at))
    renameSync(join(disk, 'sub'), join(disk, 'away'))
    const codes = await Promise.all(calls)
    const tree = treeOf(disk) as Record<string, Record<string, string>>
    const found = { ...tree['away'], ...tree['sub'] }
    expect(new Set(codes)).toEqual(new Set([null]))
    expect(found).toEqual(Object.fromEntries(codes.map((_code, at) => [String(at), `file ${at}`])))
  })

  test('many at once for one folder: each has an outcome of its own', async () => {
    const { disk, storage } = await world({ taken: 'old' })
    const control = new AbortController()
    const put = async (name: string, signal?: AbortSignal): Promise<string | null> => {
      const { body: bytes, sizeBytes } = come(name)
      return refusal(storage.write(p(`/${name}`), bytes, { overwrite: 'create', sizeBytes, signal }))
    }
    const names = ['a', 'taken', 'b', 'c']
    const codes = [...names.map(async (name) => put(name)), put('left', control.signal)]
    control.abort()
    expect(await Promise.all(codes)).toEqual([null, 'name-taken', null, null, 'aborted'])
    expect(treeOf(disk)).toEqual({ taken: 'old', a: 'a', b: 'b', c: 'c' })
  })

  test('more than is small is taken as it comes', async () => {
    const { disk, storage } = await world()
    const text = 'x'.repeat(64 * 1024 + 1)
    const bytes = Object.assign(body(text), { whole: neverWhole })
    await storage.write(p('/new'), bytes, { overwrite: 'create', sizeBytes: text.length })
    expect(treeOf(disk)).toEqual({ new: text })
  })

  test('what has not come is taken as it comes', async () => {
    const { disk, storage } = await world()
    const bytes = Object.assign(body('bytes'), { whole: async () => null })
    await storage.write(p('/new'), bytes, { overwrite: 'create', sizeBytes: 5 })
    expect(treeOf(disk)).toEqual({ new: 'bytes' })
  })

  test('a name that is taken, and the old bytes stay', async () => {
    const { disk, storage } = await world({ file: 'old', sub: {}, dead: { link: 'nothing' } })
    for (const path of ['/file', '/sub', '/dead']) {
      const { body: bytes, sizeBytes } = come('new')
      expect(await refusal(storage.write(p(path), bytes, { overwrite: 'create', sizeBytes }))).toBe(
        'name-taken',
      )
    }
    expect(treeOf(disk)).toEqual({ file: 'old', sub: {}, dead: { link: 'nothing' } })
  })

  test('of twenty who create one name, one does', async () => {
    const { disk, storage } = await world()
    const calls = Array.from({ length: 20 }, async (_, at) => {
      const { body: bytes, sizeBytes } = come(`writer ${at}`)
      return refusal(storage.write(p('/file'), bytes, { overwrite: 'create', sizeBytes }))
    })
    const results = await Promise.all(calls)
    expect(results.filter((code) => code === 'name-taken').length).toBe(19)
    expect(treeOf(disk)).toEqual({ file: `writer ${results.indexOf(null)}` })
  })

  test('missing folders are made and told of, the topmost first; through a link inside, too', async () => {
    const { disk, storage } = await world({ old: { in: {} }, link: { link: 'old/in' } })
    const made: Path[] = []
    const op = { overwrite: 'create', parents: true, onFolder: (path: Path) => void made.push(path) } as const
    for (const path of ['/old/a/b/new', '/old/a/c/new', '/link/d/new']) {
      const { body: bytes, sizeBytes } = come('x')
      const entry = await storage.write(p(path), bytes, { ...op, sizeBytes })
      expect(await storage.stat(p(path))).toEqual(entry)
    }
    expect(made).toEqual(['/old/a', '/old/a/b', '/old/a/c', '/link/d'])
    await storage.write(p('/e/f/new'), body('as it comes'), op)
    expect(made.slice(4)).toEqual(['/e', '/e/f'])
    expect(treeOf(disk)).toEqual({
      old: { a: { b: { new: 'x' }, c: { new: 'x' } }, in: { d: { new: 'x' } } },
      link: { link: 'old/in' },
      e: { f: { new: 'as it comes' } },
    })
  })

  test('what is denied and what leads out is refused', async () => {
    const there = outside({ secret: {} })
    const { disk, storage } = await world({ out: { link: there }, no: {}, in: { link: 'no' } })
    const narrow = await storage.narrow({ permits: (path) => path !== '/no/new' })
    for (const path of ['/out/new', '/no/new', '/in/new']) {
      const { body: bytes, sizeBytes } = come('x')
      expect(await refusal(narrow.write(p(path), bytes, { overwrite: 'create', sizeBytes }))).toBe(
        'forbidden',
      )
    }
    expect([treeOf(there), treeOf(join(disk, 'no'))]).toEqual([{ secret: {} }, {}])
  })

  test('an abort leaves nothing', async () => {
    const { disk, storage } = await world()
    const { body: bytes, sizeBytes } = come('x')
    const op = { overwrite: 'create', sizeBytes, signal: AbortSignal.abort() } as const
    expect(await refusal(storage.write(p('/new'), bytes, op))).toBe('aborted')
    expect(treeOf(disk)).toEqual({})
  })

  test('the group of a folder that passes it on', async ({ skip }) => {
    if (!mayGive) skip('only the superuser gives files away')
    const { disk, storage } = await world({ sub: {} })
    chownSync(join(disk, 'sub'), 0, 4321)
    chmodSync(join(disk, 'sub'), 0o2770)
    const { body: bytes, sizeBytes } = come('x')
    await storage.write(p('/sub/new'), bytes, { overwrite: 'create', sizeBytes })
    expect(statSync(join(disk, 'sub/new')).gid).toBe(4321)
  })

  test('a full disk', async ({ skip }) => {
    const disk = outside()
    if (!can('mount', '-t', 'tmpfs', '-o', 'size=65m,nr_inodes=4', 'tmpfs', disk)) skip('no tmpfs here')
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    makeTree(disk, { old: 'before' })
    const volume = ownVolume(() => adapter.make({ root: disk }))
    const put = async (name: string): Promise<string | null> => {
      const { body: bytes, sizeBytes } = come('x')
      return refusal(volume.write(p(`/${name}`), bytes, { overwrite: 'create', sizeBytes }))
    }
    const names = ['a', 'b', 'c', 'd']
    const codes: (string | null)[] = []
    for (const name of names) codes.push(await put(name))
    expect(codes.at(-1)).toBe('no-space')
    const written = Object.fromEntries(
      names.filter((_name, at) => codes[at] === null).map((name) => [name, 'x']),
    )
    expect(treeOf(disk)).toEqual({ old: 'before', ...written })
  })

  test('a disk that is read only', async ({ skip }) => {
    const disk = outside({ old: 'before' })
    if (!can('mount', '--bind', disk, disk)) skip('nothing may be mounted here')
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    if (!can('mount', '-o', 'remount,ro,bind', disk)) skip('nothing may be made read only here')
    const volume = ownVolume(() => adapter.make({ root: disk }))
    const { body: bytes, sizeBytes } = come('x')
    expect(await refusal(volume.write(p('/new'), bytes, { overwrite: 'create', sizeBytes }))).toBe(
      'forbidden',
    )
    expect(treeOf(disk)).toEqual({ old: 'before' })
  })

  test('what stands there is replaced where that is wished', async () => {
    const { disk, storage } = await world({ file: 'old' })
    for (const overwrite of ['replace', 'upsert'] as const) {
      await storage.write(p('/file'), body(overwrite), { overwrite, sizeBytes: overwrite.length })
      expect(await readAll(storage, '/file')).toBe(overwrite)
    }
    expect(readFileSync(join(disk, 'file'), 'utf8')).toBe('upsert')
  })
})
