import { expect, test } from 'vitest'
import { causeOf } from '../../../../test/kit/change-cause.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import { bodyOf, gatedBody, volumeWith } from '../../../../test/kit/gated-body.ts'
import { treeOf, type FileTree } from '../../../../test/kit/tree.ts'
import type { Storage, Volume } from '../../storage/port.ts'
import { quotaServers } from '../../../../test/kit/quota-servers.ts'
import { withPolicies } from '../../storage/policy.ts'
import { applyInstead } from '../../../../test/kit/changed-storage.ts'
import { quotaPolicy } from './quota-policy.ts'

const p = (text: string) => text as Path
const [ann, bea] = [1, 2]

type Person = { readonly userId?: number | null; readonly scope?: string; readonly quotaBytes?: number }

/** Returns the volume as people with a quota see it who use one server. */
async function serverWith(tree: FileTree, replaced: (volume: Volume) => Partial<Volume> = () => ({})) {
  const { disk, volume: whole } = await volumeWith(tree)
  const volume = { ...whole, ...replaced(whole) }
  const quotas = (await quotaServers()).start(volume)
  const storageFor = async ({
    userId = ann,
    scope = '/',
    quotaBytes = 10,
  }: Person = {}): Promise<Storage> => {
    const usage = quotas.usageOf(p(scope))
    const storage = scope === '/' ? volume : await volume.narrow({ at: p(scope) })
    return withPolicies(storage, [quotaPolicy({ usage, quotaBytes, userId, rootInScope: root })])
  }
  return { disk, volume, quotas, storageFor, bytesAt: (at = '/') => volume.measure(p(at)) }
}

const refusal = (work: Promise<unknown>): Promise<string | null> => work.then(() => null, codeOf)

const store = (storage: Storage, path: string, text: string, overwrite: 'create' | 'upsert' = 'upsert') =>
  refusal(
    storage.apply({ kind: 'write', path: p(path), body: bodyOf(text), overwrite, sizeBytes: text.length }),
  )

/** Begins to write a file whose size is announced, and returns when its bytes are awaited. */
async function beginWriting(storage: Storage, path: string, text: string) {
  const { body, requested, open } = gatedBody(text)
  const written = refusal(
    storage.apply({ kind: 'write', path: p(path), body, overwrite: 'upsert', sizeBytes: text.length }),
  )
  await Promise.race([requested, written])
  return (): Promise<string | null> => {
    open()
    return written
  }
}

test('a file whose target is renamed while it arrives counts in full', async () => {
  const { disk, storageFor, bytesAt } = await serverWith({ a: '1234' })
  const storage = await storageFor()
  const outcomes: (string | null)[] = []
  for (const n of [1, 2, 3, 4]) {
    const finish = await beginWriting(storage, '/a', `new${n}`)
    await storage.apply({ kind: 'move', path: p('/a'), to: p(`/b${n}`), overwrite: 'create' }).catch(() => {})
    outcomes.push(await finish())
    expect(await bytesAt()).toBeLessThanOrEqual(10)
  }
  expect(outcomes).toEqual([null, 'over-quota', 'over-quota', 'over-quota'])
  expect(await treeOf(disk)).toEqual({ b1: '1234', b2: 'new1' })
  expect([await store(storage, '/c', '123'), await store(storage, '/c', '12')]).toEqual(['over-quota', null])
})

test('an upload in parts whose target has been removed or renamed counts in full, and stays when it does not fit', async () => {
  const { disk, storageFor, bytesAt } = await serverWith({ a: '12345678' })
  const storage = await storageFor()
  const session = await storage.apply({ kind: 'begin', path: p('/a'), overwrite: 'upsert', sizeBytes: 8 })
  await storage.apply({
    kind: 'put',
    overwrite: 'create',
    upload: session,
    part: { offsetBytes: 0, maxBytes: 8, body: bodyOf('abcdefgh') },
  })
  await storage.apply({ kind: 'move', path: p('/a'), to: p('/b'), overwrite: 'create' })
  expect(await refusal(storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' }))).toBe(
    'over-quota',
  )
  expect([await bytesAt(), await storage.received(session)]).toEqual([8, 8])
  await storage.apply({ kind: 'remove', path: p('/b'), recursive: false })
  expect(await refusal(storage.apply({ kind: 'commit', upload: session, overwrite: 'upsert' }))).toBe(null)
  expect(await treeOf(disk)).toEqual({ a: 'abcdefgh' })
  expect([await store(storage, '/c', '123'), await store(storage, '/c', '12')]).toEqual(['over-quota', null])
})

test('of several files for one path each counts against what stands there when it appears', async () => {
  const { disk, storageFor, bytesAt } = await serverWith({ a: '12345678', z: '1' })
  const storage = await storageFor()
  const larger = await beginWriting(storage, '/a', '123456789')
  expect(await store(storage, '/a', 'x')).toBe(null)
  expect(await store(storage, '/b', '12345678')).toBe('over-quota')
  expect(await larger()).toBe(null)
  expect(await treeOf(disk)).toEqual({ a: '123456789', z: '1' })
  const [one, other] = [
    await beginWriting(storage, '/a', 'abcdefghi'),
    await beginWriting(storage, '/a', 'ABCDEFGHI'),
  ]
  await storage.apply({ kind: 'move', path: p('/a'), to: p('/z'), overwrite: 'upsert' })
  expect([await one(), await other(), await bytesAt()]).toEqual(['over-quota', 'over-quota', 9])
  expect(await store(storage, '/a', '1')).toBe(null)
})

test('a copy onto a file that disappears meanwhile counts in full', async () => {
  const { disk, storageFor, bytesAt } = await serverWith({ a: '1234', old: '1234' }, (volume) => ({
    apply: applyInstead(volume, {
      async copy(change) {
        await volume.apply({ kind: 'move', path: p('/old'), to: p('/moved'), overwrite: 'create' })
        return volume.apply(change)
      },
    }),
  }))
  const copied = async (quotaBytes: number) =>
    refusal(
      (await storageFor({ quotaBytes })).apply({
        kind: 'copy',
        path: p('/a'),
        to: p('/old'),
        overwrite: 'upsert',
      }),
    )
  expect([await copied(11), await bytesAt()]).toEqual(['over-quota', 8])
  const storage = await storageFor({ quotaBytes: 12 })
  await storage.apply({ kind: 'move', path: p('/moved'), to: p('/old'), overwrite: 'create' })
  expect([await copied(12), await store(storage, '/b', '1')]).toEqual([null, 'over-quota'])
  expect(await treeOf(disk)).toEqual({ a: '1234', old: '1234', moved: '1234' })
})

test('what is stored in a nested scope counts in the outer one as its bytes arrive', async () => {
  const { storageFor, bytesAt } = await serverWith({ home: { bea: {} } })
  const inner = await storageFor({ userId: bea, scope: '/home/bea' })
  expect(await store(inner, '/first', '123')).toBe(null)
  const running = await beginWriting(inner, '/second', '1234')
  const outer = await storageFor({ scope: '/home' })
  expect(await store(outer, '/own', '12345678')).toBe('over-quota')
  const own = await beginWriting(outer, '/own', '1234567')
  expect([await running(), await own(), await bytesAt('/home')]).toEqual([null, 'over-quota', 7])
  expect([await store(outer, '/bea/third', '123'), await store(inner, '/fourth', '1')]).toEqual([
    null,
    'over-quota',
  ])
  await outer.apply({ kind: 'move', path: p('/bea/first'), to: p('/first'), overwrite: 'create' })
  expect([await store(outer, '/own', '1'), await bytesAt('/home')]).toEqual(['over-quota', 10])
})

test('bytes that somebody without a quota stores while a file arrives are counted before it appears', async () => {
  const { volume, quotas, storageFor, bytesAt } = await serverWith({ home: {} })
  const storage = await storageFor({ scope: '/home' })
  const finish = await beginWriting(storage, '/a', '1234567')
  await store(volume, '/home/b', '1234')
  const cause = causeOf('resources.create')
  const author = { userId: bea, username: 'admin', scope: root, storedScope: '' }
  quotas.recordChange({ id: 'one', cause, ...author, kind: 'created', path: p('/home/b'), atMs: 0 })
  expect([await finish(), await bytesAt()]).toEqual(['over-quota', 4])
})

test('an announcement keeps nobody else out, and its bytes count as they arrive', async () => {
  const { storageFor, bytesAt } = await serverWith({})
  const [own, other, guest] = [
    await storageFor(),
    await storageFor({ userId: bea }),
    await storageFor({ userId: null }),
  ]
  const session = await own.apply({ kind: 'begin', path: p('/a'), overwrite: 'create', sizeBytes: 9 })
  expect(await store(own, '/b', '12')).toBe('over-quota')
  const slow = await beginWriting(guest, '/g', '123456789')
  expect(await store(other, '/b', '12')).toBe(null)
  const part = (text: string) =>
    refusal(
      own.apply({
        kind: 'put',
        overwrite: 'create',
        upload: session,
        part: { offsetBytes: 0, maxBytes: 9, body: bodyOf(text) },
      }),
    )
  expect([await part('123456789'), await slow()]).toEqual(['over-quota', 'over-quota'])
  expect(await store(guest, '/g', '123456789')).toBe('over-quota')
  expect([await store(guest, '/g', '12345678'), await bytesAt()]).toEqual([null, 10])
})

test('a scan that may have missed a renamed file does not lower the usage', async () => {
  const gates = { begun: Promise.withResolvers<void>(), read: Promise.withResolvers<void>() }
  let scans = 0
  const { storageFor, bytesAt } = await serverWith({ a: {}, z: { f: '12345678' } }, (volume) => ({
    async measure(...[path, options]) {
      scans += 1
      if (path !== root || scans !== 2) return volume.measure(path, options)
      const first = await volume.measure(p('/a'))
      gates.begun.resolve()
      await gates.read.promise
      return first + (await volume.measure(p('/z')))
    },
  }))
  const storage = await storageFor()
  expect(await store(storage, '/z/b', '1')).toBe(null)
  const refused = store(storage, '/c', '12')
  await gates.begun.promise
  await storage.apply({ kind: 'move', path: p('/z/f'), to: p('/a/f'), overwrite: 'create' })
  gates.read.resolve()
  expect([await refused, await bytesAt()]).toEqual(['over-quota', 9])
})
