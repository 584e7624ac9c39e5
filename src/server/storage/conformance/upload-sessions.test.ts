import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { UploadSession } from '../change.ts'
import type { Storage } from '../port.ts'
import { failingBody, hangingBody } from './path-and-body.ts'
import {
  bodyOf,
  conformance,
  listAll,
  outsideFolder,
  ownVolume,
  p,
  readAll,
  refusalCode,
  treeOf,
  walkAll,
} from './suite.ts'

const unlimitedBytes = Number.MAX_SAFE_INTEGER

const put = (storage: Storage, session: UploadSession, offsetBytes: number, text: string) =>
  storage.apply({
    kind: 'put',
    overwrite: 'create',
    upload: session,
    part: { offsetBytes, maxBytes: unlimitedBytes, body: bodyOf(text) },
  })

conformance('E uploads in parts', ({ fixture, adapter }) => {
  test('64 a file is uploaded in three parts', async () => {
    const { disk, storage } = await fixture()
    const session = await storage.apply({
      kind: 'begin',
      path: p('/new/sub/a'),
      overwrite: 'create',
      parents: true,
    })
    expect(await put(storage, session, 0, 'one')).toBe(3)
    expect(await put(storage, session, 3, 'two')).toBe(6)
    expect(await put(storage, session, 6, 'three')).toBe(11)
    expect(await storage.received(session)).toBe(11)
    const entry = await storage.apply({ kind: 'commit', upload: session, overwrite: 'create' })
    expect([entry.name, entry.kind, entry.sizeBytes]).toEqual(['a', 'file', 11])
    expect(entry).toEqual(await storage.stat(p('/new/sub/a')))
    expect(treeOf(disk)).toEqual({ new: { sub: { a: 'onetwothree' } } })
  })

  test('65 a part whose offset is not the end of the previous part is refused', async () => {
    const { storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    await put(storage, session, 0, 'one')
    for (const at of [0, 2, 4]) expect(await refusalCode(put(storage, session, at, 'x'))).toBe('wrong-offset')
    expect(await storage.received(session)).toBe(3)
  })

  test('66 only one of two concurrent parts is stored, and it is stored completely', async () => {
    const { disk, storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    const both = [put(storage, session, 0, 'one'), put(storage, session, 0, 'two')]
    const [first, second] = await Promise.allSettled(both)
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected'])
    await storage.apply({ kind: 'commit', upload: session, overwrite: 'create' })
    expect(treeOf(disk)).toEqual({ a: 'one' })
  })

  test('67 an empty file can be uploaded', async () => {
    const { disk, storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create', sizeBytes: 0 })
    await storage.apply({ kind: 'commit', upload: session, overwrite: 'create' })
    expect(treeOf(disk)).toEqual({ a: '' })
  })

  test('a part that is interrupted or aborted keeps the received bytes', async () => {
    const { storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    const lost = storage.apply({
      kind: 'put',
      overwrite: 'create',
      upload: session,
      part: { offsetBytes: 0, maxBytes: unlimitedBytes, body: failingBody() },
    })
    await expect(lost).rejects.toThrow('connection lost')
    expect(await storage.received(session)).toBe(10)
    const cut = new AbortController()
    const slow = storage.apply({
      kind: 'put',
      overwrite: 'create',
      upload: session,
      part: { offsetBytes: 10, maxBytes: unlimitedBytes, body: hangingBody() },
      signal: cut.signal,
    })
    setTimeout(() => cut.abort(), 20)
    expect(await refusalCode(slow)).toBe('aborted')
    expect(await storage.received(session)).toBe(20)
  })

  test('a part with too many bytes stores nothing', async () => {
    const { storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    await put(storage, session, 0, 'one')
    const chunk = 'x'.repeat(600_000)
    const long = storage.apply({
      kind: 'put',
      overwrite: 'create',
      upload: session,
      part: { offsetBytes: 3, maxBytes: 1_000_000, body: bodyOf(chunk, chunk) },
    })
    expect(await refusalCode(long)).toBe('too-large')
    expect(await storage.received(session)).toBe(3)
  })

  test('70 another process continues an upload with the token alone', async () => {
    const root = outsideFolder()
    const first = adapter.createVolume({ root })
    const { path, token } = await first.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    await put(first, { path, token }, 0, 'one')
    await first.close()
    const second = ownVolume(() => adapter.createVolume({ root }))
    expect(await put(second, { path, token }, 3, 'two')).toBe(6)
    await second.apply({ kind: 'commit', upload: { path, token }, overwrite: 'create' })
    expect(treeOf(root)).toEqual({ a: 'onetwo' })
  })

  test('72 a commit to an existing name is refused, and both the upload and the existing file are kept', async () => {
    const { disk, storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    await put(storage, session, 0, 'new')
    writeFileSync(join(disk, 'a'), 'other')
    expect(await refusalCode(storage.apply({ kind: 'commit', upload: session, overwrite: 'create' }))).toBe(
      'name-taken',
    )
    expect(readFileSync(join(disk, 'a'), 'utf8')).toBe('other')
    expect(await storage.received(session)).toBe(3)
    await storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' })
    expect(treeOf(disk)).toEqual({ a: 'new' })
  })

  test('an existing target is refused before anything is staged', async () => {
    const { disk, storage } = await fixture({ a: 'old', folder: {}, out: { link: '/etc/hostname' } })
    const begin = (path: string, overwrite: 'create' | 'upsert') =>
      refusalCode(storage.apply({ kind: 'begin', path: p(path), overwrite }))
    expect(await begin('/a', 'create')).toBe('name-taken')
    expect(await begin('/folder', 'upsert')).toBe('is-a-folder')
    expect(await begin('/out', 'upsert')).toBe('forbidden')
    expect(await begin('/none/a', 'create')).toBe('not-found')
    expect(await begin('/a/b', 'create')).toBe('not-a-folder')
    expect(readdirSync(disk).toSorted()).toEqual(['a', 'folder', 'out'])
  })

  test('an upload that would use the reserved disk space is refused before anything is staged', async () => {
    const { disk, storage } = await fixture()
    const begun = storage.apply({
      kind: 'begin',
      path: p('/a'),
      overwrite: 'create',
      sizeBytes: unlimitedBytes,
    })
    expect(await refusalCode(begun)).toBe('no-space')
    const written = storage.apply({
      kind: 'write',
      path: p('/b'),
      body: bodyOf('x'),
      overwrite: 'create',
      sizeBytes: unlimitedBytes,
    })
    expect(await refusalCode(written)).toBe('no-space')
    expect(treeOf(disk)).toEqual({})
  })

  test('an upload through a link changes its target and keeps the link', async () => {
    const { disk, storage } = await fixture({ real: { a: 'old' }, link: { link: 'real/a' } })
    const session = await storage.apply({ kind: 'begin', path: p('/link'), overwrite: 'upsert' })
    await put(storage, session, 0, 'new')
    const entry = await storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' })
    expect([entry.name, entry.kind]).toEqual(['link', 'link'])
    expect(treeOf(disk)).toEqual({ real: { a: 'new' }, link: { link: 'real/a' } })
  })

  test('73, 74 an aborted upload leaves nothing and accepts no part', async () => {
    const { disk, storage } = await fixture({ a: 'old' })
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'upsert' })
    await put(storage, session, 0, 'new')
    await storage.apply({ kind: 'abort', upload: session })
    await storage.apply({ kind: 'abort', upload: session })
    expect(treeOf(disk)).toEqual({ a: 'old' })
    expect(await refusalCode(storage.received(session))).toBe('not-found')
    expect(await refusalCode(put(storage, session, 3, 'x'))).toBe('not-found')
    expect(await refusalCode(storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' }))).toBe(
      'not-found',
    )
  })

  test('71 a second commit fails with not-found, and the file keeps its bytes', async () => {
    const { disk, storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    await put(storage, session, 0, 'new')
    await storage.apply({ kind: 'commit', upload: session, overwrite: 'create' })
    expect(await refusalCode(storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' }))).toBe(
      'not-found',
    )
    await storage.apply({ kind: 'abort', upload: session })
    expect(treeOf(disk)).toEqual({ a: 'new' })
  })

  test('a committed upload is recognized by its size and modification time', async () => {
    const { disk, storage } = await fixture({ real: {}, link: { link: 'real' } })
    const session = await storage.apply({ kind: 'begin', path: p('/link/a'), overwrite: 'create' })
    const modifiedMs = 1_800_000_000_123
    const isPlaced = (of: { sizeBytes?: number; modifiedMs?: number } = {}) =>
      storage.isPlaced(session, { sizeBytes: 3, modifiedMs, ...of })
    expect(await isPlaced()).toBe(false)
    await put(storage, session, 0, 'new')
    expect(await isPlaced()).toBe(false)
    expect(
      (await storage.apply({ kind: 'commit', upload: session, overwrite: 'create', modifiedMs })).modifiedMs,
    ).toBe((await storage.stat(p('/link/a'))).modifiedMs)
    expect(await isPlaced()).toBe(true)
    expect(await isPlaced({ sizeBytes: 4 })).toBe(false)
    expect([
      await isPlaced({ modifiedMs: modifiedMs + 1 }),
      await isPlaced({ modifiedMs: modifiedMs - 1 }),
    ]).toEqual([false, false])
    writeFileSync(join(disk, 'real/a'), 'old')
    expect(await isPlaced()).toBe(false)
    rmSync(join(disk, 'real'), { recursive: true })
    expect(await isPlaced()).toBe(false)
  })

  test('a token refers only to staged files', async () => {
    const { disk, storage } = await fixture({ a: 'old', '.stowage-part': 'x' })
    for (const token of ['', '/', '/a', 'a', '/x/.stowage-part', '%', '/%2e%2e/a']) {
      expect(await refusalCode(storage.received({ path: p('/a'), token }))).toBe('not-found')
      expect(await refusalCode(storage.apply({ kind: 'abort', upload: { path: p('/a'), token } }))).toBe(
        'not-found',
      )
    }
    expect(treeOf(disk)).toEqual({ a: 'old', '.stowage-part': 'x' })
  })

  test('75, 76 concurrent sweeps remove unknown staged files and keep the files of known uploads', async () => {
    const root = outsideFolder()
    const stateFolder = outsideFolder()
    const first = adapter.createVolume({ root, stateFolder })
    const kept = await first.apply({ kind: 'begin', path: p('/kept'), overwrite: 'create' })
    await put(first, kept, 0, 'one')
    await first.apply({ kind: 'begin', path: p('/lost'), overwrite: 'create' })
    await first.close()
    const second = ownVolume(() => adapter.createVolume({ root, stateFolder }))
    const keeps = async () => [kept.token]
    await Promise.all([second.sweep(keeps), second.sweep(keeps)])
    expect(readdirSync(root)).toHaveLength(1)
    expect(await second.received(kept)).toBe(3)
    expect(await second.discard([kept.token, '/etc/hostname', ''])).toBe(1)
    expect(readdirSync(root)).toEqual([])
  })

  test('78 staged files appear in no listing and no walk', async () => {
    const { storage } = await fixture({ b: 'x' })
    await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    expect((await listAll(storage, '/')).rows.map(({ name }) => name)).toEqual(['b'])
    expect(await walkAll(storage)).toEqual(['/b'])
  })

  test('a folder that replaced the upload’s folder receives no file', async () => {
    const { disk, storage } = await fixture({ up: {}, other: { a: 'other' } })
    const session = await storage.apply({ kind: 'begin', path: p('/up/a'), overwrite: 'create' })
    renameSync(join(disk, 'up'), join(disk, 'away'))
    mkdirSync(join(disk, 'up'))
    expect(await refusalCode(put(storage, session, 0, 'x'))).toBe('not-found')
    expect(treeOf(join(disk, 'up'))).toEqual({})
  })

  test('a hard link to an overwritten file keeps the old bytes', async () => {
    const { disk, storage } = await fixture({ a: 'old' })
    linkSync(join(disk, 'a'), join(disk, 'b'))
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'upsert' })
    await put(storage, session, 0, 'new')
    await storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' })
    expect(treeOf(disk)).toEqual({ a: 'new', b: 'old' })
    expect(await readAll(storage, '/a')).toBe('new')
  })

  test('a storage that is read-only or denies the path refuses uploads', async () => {
    const { disk, storage } = await fixture()
    const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' })
    const readers = [
      await storage.narrow({ only: 'read' }),
      await storage.narrow({ permits: (path) => path !== '/a' }),
    ]
    for (const reader of readers) {
      expect(await refusalCode(reader.apply({ kind: 'begin', path: p('/a'), overwrite: 'create' }))).toBe(
        'forbidden',
      )
      expect(await refusalCode(put(reader, session, 0, 'x'))).toBe('forbidden')
      expect(await refusalCode(reader.apply({ kind: 'commit', upload: session, overwrite: 'create' }))).toBe(
        'forbidden',
      )
      expect(await refusalCode(reader.apply({ kind: 'abort', upload: session }))).toBe('forbidden')
    }
    const placed = { sizeBytes: 0, modifiedMs: 1_800_000_000_123 }
    await storage.apply({
      kind: 'commit',
      upload: session,
      overwrite: 'create',
      modifiedMs: placed.modifiedMs,
    })
    expect(await readers[0]?.isPlaced(session, placed)).toBe(true)
    expect(await refusalCode(readers[1]?.isPlaced(session, placed) ?? Promise.resolve())).toBe('forbidden')
    rmSync(join(disk, readdirSync(disk)[0] ?? ''))
  })
})
