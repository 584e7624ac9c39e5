import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { can, mayMount } from '../../../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../../../test/kit/temporary-folder.ts'
import { root, type Path } from '../../../../shared/domain/path.ts'
import { openDescriptors } from '../../conformance/world.ts'
import { entryOf, type Identity } from '../facts.ts'
import { nodeCalls } from '../calls/node-calls.ts'
import { openAnywhere } from '../calls/descriptors.ts'
import type { Root } from '../roots.ts'
import { createAtOnce, type Place } from './at-once.ts'

type Wish = { readonly own?: readonly Identity[]; readonly prefixes?: readonly string[] }

const place = (folder: Root, { own = [], prefixes = [] }: Wish = {}): Place => ({
  root: folder,
  top: folder,
  where: {
    root: folder.descriptor,
    top: { ...folder, mountPoint: null, mayRenew: true },
    topNames: [],
    followsExternal: false,
    isJudged: false,
    own: { files: own, prefixes: prefixes.map((prefix) => ({ prefix, dev: folder.dev, ino: folder.ino })) },
  },
})

function rootAt(folder: string): Root {
  const descriptor = openAnywhere(folder)
  onTestFinished(() => closeSync(descriptor))
  const { dev, ino } = statSync(folder, { bigint: true })
  return { descriptor, dev, ino, key: folder, realPath: realpathSync(folder) }
}

/** A folder whose files can be read at once: `known.txt` has been. */
async function start(nowMs = () => 0) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'known.txt'), 'known')
  const top = rootAt(folder)
  const atOnce = createAtOnce(top, nowMs)
  atOnce.seen()
  await expect.poll(() => atOnce.read(place(top), '/known.txt' as Path)).not.toBe(null)
  const read = (path: string, wish: Wish = {}) => atOnce.read(place(top, wish), path as Path)
  return { folder, top, atOnce, read }
}

test('a small file comes with its bytes, and its facts are those that a thread finds', async () => {
  const { folder, top, read } = await start()
  for (const name of ['a.txt', 'a%2Fb', '#?&+', '😀', 'x'.repeat(255)]) {
    writeFileSync(join(folder, name), `in ${name}`)
    const facts = nodeCalls().factsAt({ folder: top.descriptor, name })
    const opened = read(`/${name}`)
    expect(opened).toEqual({ entry: entryOf(name, facts), bytes: Buffer.from(`in ${name}`) })
  }
})

test('an empty file, and one as large as can be', async () => {
  const { folder, read } = await start()
  for (const sizeBytes of [0, 64 * 1024]) {
    writeFileSync(join(folder, 'file'), 'x'.repeat(sizeBytes))
    expect(read('/file')).toMatchObject({ entry: { sizeBytes }, bytes: { length: sizeBytes } })
  }
  writeFileSync(join(folder, 'file'), 'x'.repeat(64 * 1024 + 1))
  expect(read('/file')).toBe(null)
})

test('what was read is not changed by what is read next', async () => {
  const { folder, read } = await start()
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), name)
  const [a, b] = [read('/a'), read('/b')]
  expect([a, b]).toMatchObject([{ bytes: Buffer.from('a') }, { bytes: Buffer.from('b') }])
})

test('links, folders, pipes and what is not there are left to a thread', async () => {
  const { folder, top, read } = await start()
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub', 'file'), 'x')
  symlinkSync('known.txt', join(folder, 'link'))
  symlinkSync('sub', join(folder, 'by'))
  symlinkSync('/etc/hostname', join(folder, 'out'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  const named = ['/sub', '/link', '/by/file', '/out', '/pipe', '/none', '/known.txt/x', '/../known.txt']
  for (const path of [root, ...named]) expect([path, read(path)]).toEqual([path, null])
  expect(read('/sub/file')).not.toBe(null)
  const looked = ['known.txt', 'sub', 'sub/file', 'pipe', 'link'].map((name) => join(top.realPath, name))
  expect(looked.map(openDescriptors)).toEqual(looked.map(() => 0))
})

test("the server's own files are left to a thread", async () => {
  const { folder, read } = await start()
  writeFileSync(join(folder, 'own.db-wal'), 'x')
  const { dev, ino } = statSync(join(folder, 'known.txt'), { bigint: true })
  expect(read('/known.txt', { own: [{ dev, ino }] })).toBe(null)
  expect(read('/own.db-wal', { prefixes: ['own.db'] })).toBe(null)
  expect(read('/own.db-wal')).not.toBe(null)
  mkdirSync(join(folder, 'own.db-files'))
  for (const path of ['/own.db-files/x', '/not-own.db']) {
    writeFileSync(join(folder, path), 'x')
    expect(read(path)).not.toBe(null)
  }
  expect(read('/own.db-files/x', { prefixes: ['own.db'] })).toBe(null)
  expect(read('/not-own.db', { prefixes: ['own.db'] })).not.toBe(null)
})

test('nothing is read when nobody has found the top in its place for a second', async () => {
  let nowMs = 0
  const { atOnce, read } = await start(() => nowMs)
  nowMs = 999
  expect(read('/known.txt')).not.toBe(null)
  nowMs = 1000
  expect(read('/known.txt')).toBe(null)
  atOnce.seen()
  expect(read('/known.txt')).not.toBe(null)
})

test('another top is left to a thread', async () => {
  const { folder, atOnce } = await start()
  expect(atOnce.read(place(rootAt(folder)), '/known.txt' as Path)).toBe(null)
})

test.skipIf(!mayMount())('what lies on another disk below is left to a thread', async () => {
  const { folder, read } = await start()
  mkdirSync(join(folder, 'disk'))
  execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(folder, 'disk')])
  onTestFinished(() => void can('umount', '-l', join(folder, 'disk')))
  writeFileSync(join(folder, 'disk', 'file'), 'x')
  expect(read('/disk/file')).toBe(null)
})

test('what is not in memory is left to a thread', async ({ skip }) => {
  const { folder, read } = await start()
  const names = Array.from({ length: 30 }, (_, n) => `cold-${n}`)
  // Written past the memory; a disk that is memory takes no such words.
  const isCold = names.every((name) =>
    can('dd', 'if=/dev/zero', `of=${join(folder, name)}`, 'bs=4096', 'count=4', 'oflag=direct'),
  )
  skip(!isCold, 'this disk is memory itself')
  // The question has the system fetch what it lacks, and now and then a fast disk has it there before the answer.
  const first = names.map((name) => read(`/${name}`))
  expect(first).toContain(null)
  expect(
    first
      .flatMap((found) => (found !== null && 'bytes' in found ? found.bytes.length : []))
      .filter((length) => length !== 16_384),
  ).toEqual([])
  for (const name of names) {
    execFileSync('cat', [join(folder, name)])
    expect(read(`/${name}`)).toMatchObject({ bytes: { length: 16_384 } })
  }
})
