import { linkSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Storage, UploadSession } from '../port.ts'
import {
  body,
  conformance,
  listAll,
  outside,
  ownVolume,
  p,
  readAll,
  refusal,
  treeOf,
  walkAll,
} from './world.ts'

const any = Number.MAX_SAFE_INTEGER

const put = (storage: Storage, session: UploadSession, offsetBytes: number, text: string) =>
  storage.put(session, { offsetBytes, mostBytes: any, body: body(text) })

/** Sends a little and then fails as a lost connection does. */
async function* broken(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from('half of it')
  throw new Error('connection lost')
}

/** Sends a little and then nothing, for ever. */
async function* stuck(): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from('half of it')
  await new Promise(() => {})
}

conformance('E uploads in parts', ({ world, adapter }) => {
  test('64 three parts', async () => {
    const { disk, storage } = await world()
    const session = await storage.begin(p('/new/sub/a'), { overwrite: 'create', parents: true })
    expect(await put(storage, session, 0, 'one')).toBe(3)
    expect(await put(storage, session, 3, 'two')).toBe(6)
    expect(await put(storage, session, 6, 'three')).toBe(11)
    expect(await storage.received(session)).toBe(11)
    const entry = await storage.commit(session, { overwrite: 'create' })
    expect([entry.name, entry.kind, entry.sizeBytes]).toEqual(['a', 'file', 11])
    expect(entry).toEqual(await storage.stat(p('/new/sub/a')))
    expect(treeOf(disk)).toEqual({ new: { sub: { a: 'onetwothree' } } })
  })

  test('65 a part that does not begin where the last one ended', async () => {
    const { storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    await put(storage, session, 0, 'one')
    for (const at of [0, 2, 4]) expect(await refusal(put(storage, session, at, 'x'))).toBe('wrong-offset')
    expect(await storage.received(session)).toBe(3)
  })

  test('66 two parts at once: one of them is put, whole', async () => {
    const { disk, storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    const both = [put(storage, session, 0, 'one'), put(storage, session, 0, 'two')]
    const [first, second] = await Promise.allSettled(both)
    expect([first?.status, second?.status]).toEqual(['fulfilled', 'rejected'])
    await storage.commit(session, { overwrite: 'create' })
    expect(treeOf(disk)).toEqual({ a: 'one' })
  })

  test('67 an empty file', async () => {
    const { disk, storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create', sizeBytes: 0 })
    await storage.commit(session, { overwrite: 'create' })
    expect(treeOf(disk)).toEqual({ a: '' })
  })

  test('a part that breaks off, or is cut off, leaves what came', async () => {
    const { storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    const lost = storage.put(session, { offsetBytes: 0, mostBytes: any, body: broken() })
    await expect(lost).rejects.toThrow('connection lost')
    expect(await storage.received(session)).toBe(10)
    const cut = new AbortController()
    const slow = storage.put(
      session,
      { offsetBytes: 10, mostBytes: any, body: stuck() },
      { signal: cut.signal },
    )
    setTimeout(() => cut.abort(), 20)
    expect(await refusal(slow)).toBe('aborted')
    expect(await storage.received(session)).toBe(20)
  })

  test('a part with too many bytes leaves nothing', async () => {
    const { storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    await put(storage, session, 0, 'one')
    const chunk = 'x'.repeat(600_000)
    const long = storage.put(session, { offsetBytes: 3, mostBytes: 1_000_000, body: body(chunk, chunk) })
    expect(await refusal(long)).toBe('too-large')
    expect(await storage.received(session)).toBe(3)
  })

  test('70 another process goes on with the token only', async () => {
    const root = outside()
    const first = adapter.make({ root })
    const { path, token } = await first.begin(p('/a'), { overwrite: 'create' })
    await put(first, { path, token }, 0, 'one')
    await first.close()
    const second = ownVolume(() => adapter.make({ root }))
    expect(await put(second, { path, token }, 3, 'two')).toBe(6)
    await second.commit({ path, token }, { overwrite: 'create' })
    expect(treeOf(root)).toEqual({ a: 'onetwo' })
  })

  test('72 a name that is taken: the upload survives, and the name keeps its bytes', async () => {
    const { disk, storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    await put(storage, session, 0, 'new')
    writeFileSync(join(disk, 'a'), 'other')
    expect(await refusal(storage.commit(session, { overwrite: 'create' }))).toBe('name-taken')
    expect(readFileSync(join(disk, 'a'), 'utf8')).toBe('other')
    expect(await storage.received(session)).toBe(3)
    await storage.commit(session, { overwrite: 'upsert' })
    expect(treeOf(disk)).toEqual({ a: 'new' })
  })

  test('what stands is refused before anything is staged', async () => {
    const { disk, storage } = await world({ a: 'old', folder: {}, out: { link: '/etc/hostname' } })
    const begin = (path: string, overwrite: 'create' | 'upsert') =>
      refusal(storage.begin(p(path), { overwrite }))
    expect(await begin('/a', 'create')).toBe('name-taken')
    expect(await begin('/folder', 'upsert')).toBe('is-a-folder')
    expect(await begin('/out', 'upsert')).toBe('forbidden')
    expect(await begin('/none/a', 'create')).toBe('not-found')
    expect(await begin('/a/b', 'create')).toBe('not-a-folder')
    expect(readdirSync(disk).toSorted()).toEqual(['a', 'folder', 'out'])
  })

  test('one that leaves less than the reserve is refused before anything is staged', async () => {
    const { disk, storage } = await world()
    const begun = storage.begin(p('/a'), { overwrite: 'create', sizeBytes: any })
    expect(await refusal(begun)).toBe('no-space')
    const written = storage.write(p('/b'), body('x'), { overwrite: 'create', sizeBytes: any })
    expect(await refusal(written)).toBe('no-space')
    expect(treeOf(disk)).toEqual({})
  })

  test('through a link inside, the target gets the bytes and the link stays', async () => {
    const { disk, storage } = await world({ real: { a: 'old' }, link: { link: 'real/a' } })
    const session = await storage.begin(p('/link'), { overwrite: 'upsert' })
    await put(storage, session, 0, 'new')
    const entry = await storage.commit(session, { overwrite: 'upsert' })
    expect([entry.name, entry.kind]).toEqual(['link', 'link'])
    expect(treeOf(disk)).toEqual({ real: { a: 'new' }, link: { link: 'real/a' } })
  })

  test('73, 74 aborted: nothing is left, and nothing can be put', async () => {
    const { disk, storage } = await world({ a: 'old' })
    const session = await storage.begin(p('/a'), { overwrite: 'upsert' })
    await put(storage, session, 0, 'new')
    await storage.abort(session)
    await storage.abort(session)
    expect(treeOf(disk)).toEqual({ a: 'old' })
    expect(await refusal(storage.received(session))).toBe('not-found')
    expect(await refusal(put(storage, session, 3, 'x'))).toBe('not-found')
    expect(await refusal(storage.commit(session, { overwrite: 'upsert' }))).toBe('not-found')
  })

  test('71 committed: another commit finds nothing, and the bytes stay', async () => {
    const { disk, storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    await put(storage, session, 0, 'new')
    await storage.commit(session, { overwrite: 'create' })
    expect(await refusal(storage.commit(session, { overwrite: 'upsert' }))).toBe('not-found')
    await storage.abort(session)
    expect(treeOf(disk)).toEqual({ a: 'new' })
  })

  test('committed: told from what others put there, by its size and the time that was given', async () => {
    const { disk, storage } = await world({ real: {}, link: { link: 'real' } })
    const session = await storage.begin(p('/link/a'), { overwrite: 'create' })
    const modifiedMs = 1_800_000_000_123
    const isPlaced = (of: { sizeBytes?: number; modifiedMs?: number } = {}) =>
      storage.isPlaced(session, { sizeBytes: 3, modifiedMs, ...of })
    expect(await isPlaced()).toBe(false)
    await put(storage, session, 0, 'new')
    expect(await isPlaced()).toBe(false)
    expect((await storage.commit(session, { overwrite: 'create', modifiedMs })).modifiedMs).toBe(
      (await storage.stat(p('/link/a'))).modifiedMs,
    )
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

  test('a token names nothing but what was staged', async () => {
    const { disk, storage } = await world({ a: 'old', '.stowage-part': 'x' })
    for (const token of ['', '/', '/a', 'a', '/x/.stowage-part', '%', '/%2e%2e/a']) {
      expect(await refusal(storage.received({ path: p('/a'), token }))).toBe('not-found')
      expect(await refusal(storage.abort({ path: p('/a'), token }))).toBe('not-found')
    }
    expect(treeOf(disk)).toEqual({ a: 'old', '.stowage-part': 'x' })
  })

  test('75, 76 a sweep takes what nobody knows, twice at once, and leaves what is named', async () => {
    const root = outside()
    const stateFolder = outside()
    const first = adapter.make({ root, stateFolder })
    const kept = await first.begin(p('/kept'), { overwrite: 'create' })
    await put(first, kept, 0, 'one')
    await first.begin(p('/lost'), { overwrite: 'create' })
    await first.close()
    const second = ownVolume(() => adapter.make({ root, stateFolder }))
    await Promise.all([second.sweep([kept.token]), second.sweep([kept.token])])
    expect(readdirSync(root)).toHaveLength(1)
    expect(await second.received(kept)).toBe(3)
    expect(await second.discard([kept.token, '/etc/hostname', ''])).toBe(1)
    expect(readdirSync(root)).toEqual([])
  })

  test('78 what is staged is in no list and no walk', async () => {
    const { storage } = await world({ b: 'x' })
    await storage.begin(p('/a'), { overwrite: 'create' })
    expect((await listAll(storage, '/')).rows.map(({ name }) => name)).toEqual(['b'])
    expect(await walkAll(storage)).toEqual(['/b'])
  })

  test('the folder that was swapped for another meanwhile gets nothing', async () => {
    const { disk, storage } = await world({ up: {}, other: { a: 'other' } })
    const session = await storage.begin(p('/up/a'), { overwrite: 'create' })
    renameSync(join(disk, 'up'), join(disk, 'away'))
    mkdirSync(join(disk, 'up'))
    expect(await refusal(put(storage, session, 0, 'x'))).toBe('not-found')
    expect(treeOf(join(disk, 'up'))).toEqual({})
  })

  test('a hard link to an overwritten file keeps the old bytes', async () => {
    const { disk, storage } = await world({ a: 'old' })
    linkSync(join(disk, 'a'), join(disk, 'b'))
    const session = await storage.begin(p('/a'), { overwrite: 'upsert' })
    await put(storage, session, 0, 'new')
    await storage.commit(session, { overwrite: 'upsert' })
    expect(treeOf(disk)).toEqual({ a: 'new', b: 'old' })
    expect(await readAll(storage, '/a')).toBe('new')
  })

  test('who may only read, or is denied the path, puts nothing', async () => {
    const { disk, storage } = await world()
    const session = await storage.begin(p('/a'), { overwrite: 'create' })
    const readers = [
      await storage.narrow({ only: 'read' }),
      await storage.narrow({ permits: (path) => path !== '/a' }),
    ]
    for (const reader of readers) {
      expect(await refusal(reader.begin(p('/a'), { overwrite: 'create' }))).toBe('forbidden')
      expect(await refusal(put(reader, session, 0, 'x'))).toBe('forbidden')
      expect(await refusal(reader.commit(session, { overwrite: 'create' }))).toBe('forbidden')
      expect(await refusal(reader.abort(session))).toBe('forbidden')
    }
    const placed = { sizeBytes: 0, modifiedMs: 1_800_000_000_123 }
    await storage.commit(session, { overwrite: 'create', modifiedMs: placed.modifiedMs })
    expect(await readers[0]?.isPlaced(session, placed)).toBe(true)
    expect(await refusal(readers[1]?.isPlaced(session, placed) ?? Promise.resolve())).toBe('forbidden')
    rmSync(join(disk, readdirSync(disk)[0] ?? ''))
  })
})
