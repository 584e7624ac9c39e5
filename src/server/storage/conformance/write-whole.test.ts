import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, readFileSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { CommitOptions, IncomingBody } from '../change.ts'
import {
  bodyOf,
  canRun,
  conformance,
  makeTree,
  outsideFolder,
  ownVolume,
  p,
  readAll,
  refusalCode,
  treeOf,
} from './suite.ts'

/**
 * Creates a body whose bytes are already in memory. Its iterator yields different bytes, so that a test detects whether
 * the bytes in memory or the iterator was used.
 */
function bodyInMemory(text: string): { readonly body: IncomingBody; readonly sizeBytes: number } {
  const bytes = Buffer.from(text)
  return {
    body: Object.assign(bodyOf('not as it comes'), { whole: async () => bytes }),
    sizeBytes: bytes.length,
  }
}

const refuseWhole = async (): Promise<never> => Promise.reject(new Error('the whole body was requested'))

const isSuperuser = process.getuid?.() === 0

conformance('D writing a body that is in memory', ({ fixture, adapter }) => {
  test.each([0, 1, 4096, 64 * 1024])('%i bytes are written unchanged', async (size) => {
    const { disk, storage } = await fixture()
    const { body: bytes, sizeBytes } = bodyInMemory('x'.repeat(size))
    const entry = await storage.apply({
      kind: 'write',
      path: p('/new'),
      body: bytes,
      overwrite: 'create',
      sizeBytes,
    })
    expect([entry.name, entry.kind, entry.sizeBytes]).toEqual(['new', 'file', size])
    expect(await storage.stat(p('/new'))).toEqual(entry)
    expect(treeOf(disk)).toEqual({ new: 'x'.repeat(size) })
    expect(statSync(join(disk, 'new')).mode & 0o7777).toBe(0o640 & ~process.umask())
  })

  test('a file whose last check fails is not put in place, however its bytes arrived', async () => {
    const { disk, storage } = await fixture({ a: 'old', b: 'old' })
    const seen: unknown[] = []
    const beforeCommit = async (): Promise<void> => {
      seen.push(treeOf(disk))
      throw new AppError('no-space')
    }
    const { body, sizeBytes } = bodyInMemory('new')
    const session = await storage.apply({ kind: 'begin', path: p('/b'), overwrite: 'upsert' })
    await storage.apply({
      kind: 'put',
      overwrite: 'create',
      upload: session,
      part: { offsetBytes: 0, maxBytes: 3, body: bodyOf('new') },
    })
    const staged = readdirSync(disk).find((name) => name.startsWith('.')) ?? ''
    const writes = [
      storage.apply({ kind: 'write', path: p('/c'), body, overwrite: 'create', sizeBytes, beforeCommit }),
      storage.apply({
        kind: 'write',
        path: p('/a'),
        body: bodyOf('new'),
        overwrite: 'replace',
        beforeCommit,
      }),
      storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert', beforeCommit }),
    ]
    expect(await Promise.all(writes.map(refusalCode))).toEqual(writes.map(() => 'no-space'))
    expect(seen).toHaveLength(3)
    for (const tree of seen) expect(tree).toMatchObject({ a: 'old', b: 'old', [staged]: 'new' })
    expect(treeOf(disk)).toEqual({ a: 'old', b: 'old', [staged]: 'new' })
    await storage.apply({
      kind: 'commit',
      upload: session,
      overwrite: 'upsert',
      beforeCommit: async () => {},
    })
    expect(treeOf(disk)).toEqual({ a: 'old', b: 'new' })
  })

  test('the last check learns the size of the replaced file, and is repeated when that file is renamed', async () => {
    const { disk, storage } = await fixture({ a: '123', b: '45' })
    const sizes: string[] = []
    const writing = (path: string, during: () => void): CommitOptions => ({
      async beforeCommit({ sizeBytes, replacedBytes }) {
        sizes.push(`${path}: ${sizeBytes} for ${await replacedBytes()}`)
        if (sizes.length % 2 === 1) during()
      },
    })
    const rename = (from: string, to: string) => () => renameSync(join(disk, from), join(disk, to))
    const session = await storage.apply({ kind: 'begin', path: p('/b'), overwrite: 'upsert' })
    await storage.apply({
      kind: 'put',
      overwrite: 'create',
      upload: session,
      part: { offsetBytes: 0, maxBytes: 1, body: bodyOf('x') },
    })
    await storage.apply({
      kind: 'write',
      path: p('/a'),
      body: bodyOf('new'),
      overwrite: 'upsert',
      ...writing('a', rename('a', 'moved')),
    })
    await storage.apply({
      kind: 'commit',
      upload: session,
      overwrite: 'upsert',
      ...writing('b', rename('moved', 'b')),
    })
    const replaced = writing('b', rename('b', 'gone'))
    expect(
      await refusalCode(
        storage.apply({ kind: 'write', path: p('/b'), body: bodyOf('y'), overwrite: 'replace', ...replaced }),
      ),
    ).toBe('not-found')
    const { body, sizeBytes } = bodyInMemory('z')
    await storage.apply({
      kind: 'write',
      path: p('/c'),
      body,
      overwrite: 'create',
      sizeBytes,
      ...writing('c', () => {}),
    })
    expect(sizes).toEqual([
      'a: 3 for 3',
      'a: 3 for 0',
      'b: 1 for 2',
      'b: 1 for 3',
      'b: 1 for 1',
      'c: 1 for 0',
    ])
    expect(treeOf(disk)).toEqual({ a: 'new', gone: 'x', c: 'z' })
  })

  test('a file may have a name with invalid UTF-8', async () => {
    const { storage } = await fixture()
    const { body: bytes, sizeBytes } = bodyInMemory('x')
    const entry = await storage.apply({
      kind: 'write',
      path: p('/f\udcff'),
      body: bytes,
      overwrite: 'create',
      sizeBytes,
    })
    expect(await storage.stat(p('/f\udcff'))).toEqual(entry)
  })

  test('a file may have the longest name that a disk allows', async () => {
    const { disk, storage } = await fixture()
    const longest = 'é'.repeat(127) + 'n'
    const put = async (name: string): Promise<string | null> => {
      const { body: bytes, sizeBytes } = bodyInMemory('x')
      return refusalCode(
        storage.apply({ kind: 'write', path: p(`/${name}`), body: bytes, overwrite: 'create', sizeBytes }),
      )
    }
    expect([await put(longest), await put(longest)]).toEqual([null, 'name-taken'])
    expect(treeOf(disk)).toEqual({ [longest]: 'x' })
  })

  test('confirmed files exist in a folder that was renamed while they were written', async () => {
    const { disk, storage } = await fixture({ sub: {} })
    const put = async (at: number): Promise<string | null> => {
      const { body: bytes, sizeBytes } = bodyInMemory(`file ${at}`)
      const op = { overwrite: 'create', sizeBytes, parents: true } as const
      return refusalCode(storage.apply({ kind: 'write', path: p(`/sub/${at}`), body: bytes, ...op }))
    }
    const calls = Array.from({ length: 20 }, async (_, at) => put(at))
    renameSync(join(disk, 'sub'), join(disk, 'away'))
    const codes = await Promise.all(calls)
    const tree = treeOf(disk) as Record<string, Record<string, string>>
    const found = { ...tree['away'], ...tree['sub'] }
    expect(new Set(codes)).toEqual(new Set([null]))
    expect(found).toEqual(Object.fromEntries(codes.map((_code, at) => [String(at), `file ${at}`])))
  })

  test('each of many concurrent writes to one folder has its own outcome', async () => {
    const { disk, storage } = await fixture({ taken: 'old' })
    const control = new AbortController()
    const put = async (name: string, signal?: AbortSignal): Promise<string | null> => {
      const { body: bytes, sizeBytes } = bodyInMemory(name)
      return refusalCode(
        storage.apply({
          kind: 'write',
          path: p(`/${name}`),
          body: bytes,
          overwrite: 'create',
          sizeBytes,
          signal,
        }),
      )
    }
    const names = ['a', 'taken', 'b', 'c']
    const codes = [...names.map(async (name) => put(name)), put('left', control.signal)]
    control.abort()
    expect(await Promise.all(codes)).toEqual([null, 'name-taken', null, null, 'aborted'])
    expect(treeOf(disk)).toEqual({ taken: 'old', a: 'a', b: 'b', c: 'c' })
  })

  test('a body that is not small is read as a stream', async () => {
    const { disk, storage } = await fixture()
    const text = 'x'.repeat(64 * 1024 + 1)
    const bytes = Object.assign(bodyOf(text), { whole: refuseWhole })
    await storage.apply({
      kind: 'write',
      path: p('/new'),
      body: bytes,
      overwrite: 'create',
      sizeBytes: text.length,
    })
    expect(treeOf(disk)).toEqual({ new: text })
  })

  test('a body that is not in memory is read as a stream', async () => {
    const { disk, storage } = await fixture()
    const bytes = Object.assign(bodyOf('bytes'), { whole: async () => null })
    await storage.apply({ kind: 'write', path: p('/new'), body: bytes, overwrite: 'create', sizeBytes: 5 })
    expect(treeOf(disk)).toEqual({ new: 'bytes' })
  })

  test('creating an existing name is refused, and the old bytes stay', async () => {
    const { disk, storage } = await fixture({ file: 'old', sub: {}, dead: { link: 'nothing' } })
    for (const path of ['/file', '/sub', '/dead']) {
      const { body: bytes, sizeBytes } = bodyInMemory('new')
      expect(
        await refusalCode(
          storage.apply({ kind: 'write', path: p(path), body: bytes, overwrite: 'create', sizeBytes }),
        ),
      ).toBe('name-taken')
    }
    expect(treeOf(disk)).toEqual({ file: 'old', sub: {}, dead: { link: 'nothing' } })
  })

  test('only one of twenty concurrent creations of the same name succeeds', async () => {
    const { disk, storage } = await fixture()
    const calls = Array.from({ length: 20 }, async (_, at) => {
      const { body: bytes, sizeBytes } = bodyInMemory(`writer ${at}`)
      return refusalCode(
        storage.apply({ kind: 'write', path: p('/file'), body: bytes, overwrite: 'create', sizeBytes }),
      )
    })
    const results = await Promise.all(calls)
    expect(results.filter((code) => code === 'name-taken').length).toBe(19)
    expect(treeOf(disk)).toEqual({ file: `writer ${results.indexOf(null)}` })
  })

  test('missing folders are created and reported from the top down, also through a link', async () => {
    const { disk, storage } = await fixture({ old: { in: {} }, link: { link: 'old/in' } })
    const made: (readonly Path[] | undefined)[] = []
    const op = { overwrite: 'create', parents: true } as const
    for (const path of ['/old/a/b/new', '/old/a/c/new', '/old/a/c/new2', '/link/d/new']) {
      const { body: bytes, sizeBytes } = bodyInMemory('x')
      const { madeFolders, ...entry } = await storage.apply({
        kind: 'write',
        path: p(path),
        body: bytes,
        ...op,
        sizeBytes,
      })
      made.push(madeFolders)
      expect(await storage.stat(p(path))).toEqual(entry)
    }
    expect(made).toEqual([['/old/a', '/old/a/b'], ['/old/a/c'], undefined, ['/link/d']])
    const streamed = await storage.apply({
      kind: 'write',
      path: p('/e/f/new'),
      body: bodyOf('as it comes'),
      ...op,
    })
    expect(streamed.madeFolders).toEqual(['/e', '/e/f'])
    const others = [
      await storage.apply({ kind: 'begin', path: p('/g/new'), ...op }),
      await storage.apply({ kind: 'makeFolder', path: p('/g/h/i'), parents: true }),
      await storage.apply({ kind: 'makeFolder', path: p('/g/h/i'), parents: true, mayExist: true }),
      await storage.apply({ kind: 'copy', path: p('/old/a'), to: p('/j/a'), overwrite: 'create' }),
      await storage.apply({ kind: 'move', path: p('/j/a'), to: p('/link/k/a'), overwrite: 'create' }),
      await storage.apply({ kind: 'move', path: p('/link/k/a'), to: p('/j/a'), overwrite: 'create' }),
      await storage.apply({ kind: 'remove', path: p('/j'), recursive: true }),
      await storage.apply({ kind: 'remove', path: p('/g/h'), recursive: true }),
      await storage.apply({ kind: 'remove', path: p('/link/k'), recursive: true }),
    ]
    expect(others.map((result) => result?.madeFolders)).toEqual([
      ['/g'],
      ['/g/h', '/g/h/i'],
      undefined,
      ['/j'],
      ['/link/k'],
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    await storage.apply({ kind: 'remove', path: p('/g'), recursive: true })
    expect(treeOf(disk)).toEqual({
      old: { a: { b: { new: 'x' }, c: { new: 'x', new2: 'x' } }, in: { d: { new: 'x' } } },
      link: { link: 'old/in' },
      e: { f: { new: 'as it comes' } },
    })
  })

  test('denied paths and links to the outside are refused', async () => {
    const there = outsideFolder({ secret: {} })
    const { disk, storage } = await fixture({ out: { link: there }, no: {}, in: { link: 'no' } })
    const narrow = await storage.narrow({ permits: (path) => path !== '/no/new' })
    for (const path of ['/out/new', '/no/new', '/in/new']) {
      const { body: bytes, sizeBytes } = bodyInMemory('x')
      expect(
        await refusalCode(
          narrow.apply({ kind: 'write', path: p(path), body: bytes, overwrite: 'create', sizeBytes }),
        ),
      ).toBe('forbidden')
    }
    expect([treeOf(there), treeOf(join(disk, 'no'))]).toEqual([{ secret: {} }, {}])
  })

  test('an aborted write leaves nothing', async () => {
    const { disk, storage } = await fixture()
    const { body: bytes, sizeBytes } = bodyInMemory('x')
    const op = { overwrite: 'create', sizeBytes, signal: AbortSignal.abort() } as const
    expect(await refusalCode(storage.apply({ kind: 'write', path: p('/new'), body: bytes, ...op }))).toBe(
      'aborted',
    )
    expect(treeOf(disk)).toEqual({})
  })

  test('a new file inherits the group of a setgid folder', async ({ skip }) => {
    if (!isSuperuser) skip('only the superuser can change the owner of a file')
    const { disk, storage } = await fixture({ sub: {} })
    chownSync(join(disk, 'sub'), 0, 4321)
    chmodSync(join(disk, 'sub'), 0o2770)
    const { body: bytes, sizeBytes } = bodyInMemory('x')
    await storage.apply({ kind: 'write', path: p('/sub/new'), body: bytes, overwrite: 'create', sizeBytes })
    expect(statSync(join(disk, 'sub/new')).gid).toBe(4321)
  })

  test('a write to a full disk is refused', async ({ skip }) => {
    const disk = outsideFolder()
    if (!canRun('mount', '-t', 'tmpfs', '-o', 'size=65m,nr_inodes=4', 'tmpfs', disk)) skip('no tmpfs here')
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    makeTree(disk, { old: 'before' })
    const volume = ownVolume(() => adapter.createVolume({ root: disk }))
    const put = async (name: string): Promise<string | null> => {
      const { body: bytes, sizeBytes } = bodyInMemory('x')
      return refusalCode(
        volume.apply({ kind: 'write', path: p(`/${name}`), body: bytes, overwrite: 'create', sizeBytes }),
      )
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

  test('a write to a read-only disk is refused', async ({ skip }) => {
    const disk = outsideFolder({ old: 'before' })
    if (!canRun('mount', '--bind', disk, disk)) skip('nothing may be mounted here')
    onTestFinished(() => void execFileSync('umount', ['-l', disk]))
    if (!canRun('mount', '-o', 'remount,ro,bind', disk)) skip('nothing may be made read only here')
    const volume = ownVolume(() => adapter.createVolume({ root: disk }))
    const { body: bytes, sizeBytes } = bodyInMemory('x')
    expect(
      await refusalCode(
        volume.apply({ kind: 'write', path: p('/new'), body: bytes, overwrite: 'create', sizeBytes }),
      ),
    ).toBe('forbidden')
    expect(treeOf(disk)).toEqual({ old: 'before' })
  })

  test('an existing file is replaced when the caller allows overwriting', async () => {
    const { disk, storage } = await fixture({ file: 'old' })
    for (const overwrite of ['replace', 'upsert'] as const) {
      await storage.apply({
        kind: 'write',
        path: p('/file'),
        body: bodyOf(overwrite),
        overwrite,
        sizeBytes: overwrite.length,
      })
      expect(await readAll(storage, '/file')).toBe(overwrite)
    }
    expect(readFileSync(join(disk, 'file'), 'utf8')).toBe('upsert')
  })
})
