import { chmodSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { canMount, fillDisk, memoryDisk } from '../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import {
  checkClock,
  checkDatabase,
  checkFileSystems,
  checkLimits,
  checkMachine,
  checkPrograms,
  checkRoot,
  checkSpace,
  checkStateOwner,
} from './check-machine.ts'
import { machineFacts, openFilesIn, type MachineFacts } from './machine-facts.ts'
import { pathFacts } from './path-facts.ts'

const codes = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code)
const mebibyte = 1024 * 1024

/** A disk with enough space, of the kind ext4. */
const disk = { type: 0xef53, freeBytes: 1024 * mebibyte, freeInodes: 1000, totalInodes: 1000 }

/** The facts of a machine on which nothing is wrong, with a real folder and a real file. */
async function soundFacts(): Promise<MachineFacts> {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'files'))
  writeFileSync(path.join(folder, 'x.db'), '', { mode: 0o600 })
  const facts = await machineFacts({
    nowMs: Date.now(),
    root: path.join(folder, 'files'),
    databaseFile: path.join(folder, 'x.db'),
    database: { kind: 'usable', options: {} },
    databaseName: path.join(folder, 'x.db'),
    find: async (name) => `/usr/bin/${name}`,
  })
  const { root, stateFolder } = facts
  return {
    ...facts,
    memoryBytes: 1024 * mebibyte,
    openFiles: 65_536,
    root: { ...root, disk },
    stateFolder: stateFolder && { ...stateFolder, disk },
  }
}

test('a machine on which nothing is wrong has no findings', async () => {
  expect(checkMachine(await soundFacts())).toEqual([])
})

test('a served folder that is missing, a file, or closed to the server is found', () => {
  const folder = temporaryFolder()
  writeFileSync(path.join(folder, 'file'), '')
  const check = (name: string) => codes(checkRoot({ root: pathFacts(path.join(folder, name)) }))
  expect([check('gone'), check('file'), check('file/below'), check('.')]).toEqual([
    ['root-missing'],
    ['root-missing'],
    ['root-missing'],
    [],
  ])
  const root = pathFacts(folder)
  expect(codes(checkRoot({ root: { ...root, canEnter: false } }))).toEqual(['root-unreadable'])
  expect(codes(checkRoot({ root: { ...root, canWrite: false } }))).toEqual(['root-not-writable'])
})

test.skipIf(process.getuid?.() === 0)('a folder without permissions for the server is found', () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o500)
  expect(codes(checkRoot({ root: pathFacts(folder) }))).toEqual(['root-not-writable'])
  chmodSync(folder, 0o300)
  expect(codes(checkRoot({ root: pathFacts(folder) }))).toEqual(['root-unreadable'])
  chmodSync(folder, 0o700)
})

test('a database that others may read is found', async () => {
  const facts = await soundFacts()
  const [database] = facts.stateFiles
  const file = database?.path ?? ''
  chmodSync(file, 0o640)
  expect(checkStateOwner({ ...facts, stateFiles: [pathFacts(file)] })).toEqual([
    { code: 'state-open', subject: file },
  ])
})

test('a state of another user is found, and a log that root has left beside the database', async () => {
  const facts = await soundFacts()
  const [database] = facts.stateFiles
  if (database === undefined) throw new Error('there is no database')
  const ofOther = { ...database, uid: database.uid + 1 }
  expect(codes(checkStateOwner({ ...facts, uid: database.uid + 2, stateFiles: [ofOther] }))).toEqual([
    'state-owner',
  ])
  const log = { ...database, path: `${database.path}-wal`, uid: database.uid + 1 }
  expect(checkStateOwner({ ...facts, uid: 0, stateFiles: [database, log] })).toEqual([
    { code: 'state-owner', subject: log.path },
  ])
  const closed = facts.stateFolder && { ...facts.stateFolder, canWrite: false }
  expect(codes(checkStateOwner({ ...facts, stateFolder: closed }))).toEqual(['state-owner'])
})

test('the kinds of file systems that are not for a database, or not for files, are found', async () => {
  const facts = await soundFacts()
  const on = (type: number) => {
    const { root, stateFolder } = facts
    const placed = {
      root: { ...root, disk: { ...disk, type } },
      stateFolder: stateFolder && { ...stateFolder, disk: { ...disk, type } },
    }
    return codes(checkFileSystems(placed))
  }
  expect([on(0xef53), on(0x6969), on(0x01021994), on(0x4d44)]).toEqual([
    [],
    ['state-network-disk'],
    ['state-not-kept'],
    ['root-plain-disk'],
  ])
  // Numbers above 2^31 arrive as negative ones where the kernel has 32 bits.
  expect(on(0xff534d42 | 0)).toEqual(['state-network-disk'])
})

test.skipIf(!canMount())('a disk in memory and a full disk are found', async () => {
  const memory = memoryDisk('size=600m,nr_inodes=200')
  if (memory === null) throw new Error('nothing can be mounted')
  onTestFinished(() => memory.remove())
  const facts = await soundFacts()
  const found = () => {
    const place = pathFacts(memory.folder)
    return [...checkFileSystems({ ...facts, stateFolder: place }), ...checkSpace({ ...facts, root: place })]
  }
  expect(codes(found())).toEqual(['state-not-kept'])
  for (let number = 0; number < 199; number += 1) writeFileSync(path.join(memory.folder, `${number}`), '')
  expect(found().at(-1)).toEqual({ code: 'inodes-full', subject: `${memory.folder} (0 inodes free)` })
  const small = memoryDisk('size=1m')
  onTestFinished(() => small?.remove())
  fillDisk(small?.folder ?? '')
  expect(checkSpace({ ...facts, stateFolder: pathFacts(small?.folder ?? '') })).toEqual([
    { code: 'disk-full', subject: `${small?.folder} (0 MiB free)` },
  ])
})

test('a file of the future shows a wrong clock', async () => {
  const facts = await soundFacts()
  const file = facts.stateFiles[0]?.path ?? ''
  utimesSync(file, new Date(), new Date(facts.nowMs + 4 * 60 * 1000))
  expect(checkClock({ ...facts, stateFiles: [pathFacts(file)] })).toEqual([])
  utimesSync(file, new Date(), new Date('2100-01-01T00:00:00Z'))
  expect(checkClock({ ...facts, stateFiles: [pathFacts(file)] })).toEqual([
    { code: 'clock-behind', subject: `${file} was changed at 2100-01-01T00:00:00.000Z` },
  ])
})

test('low limits of memory and of open files are found', () => {
  expect(checkLimits({ memoryBytes: 128 * mebibyte, openFiles: 4096 })).toEqual([])
  expect(checkLimits({ memoryBytes: 127 * mebibyte, openFiles: 1024 })).toEqual([
    { code: 'memory-low', subject: '127 MiB' },
    { code: 'open-files-low', subject: '1024 files' },
  ])
  const limits =
    'Limit                     Soft Limit           Hard Limit           Units\nMax open files            1024                 524288               files\n'
  expect(openFilesIn(limits)).toBe(524_288)
  expect(openFilesIn('Max open files            1024                 unlimited            files\n')).toBe(
    Number.POSITIVE_INFINITY,
  )
})

test('programs that are not installed are named, and one of two names is enough', async () => {
  const database = { kind: 'usable', options: {} } as const
  const options = { nowMs: 0, root: '/', databaseFile: null, database, databaseName: '' }
  const withPrograms = (installed: readonly string[]) =>
    machineFacts({ ...options, find: async (name) => (installed.includes(name) ? `/usr/bin/${name}` : null) })
  expect(checkPrograms(await withPrograms(['bwrap', 'prlimit', 'pdftoppm', 'heif-dec']))).toEqual([
    { code: 'helpers-missing', subject: 'ffmpeg' },
  ])
  expect(checkPrograms(await withPrograms([]))[0]?.subject).toBe(
    'bwrap, prlimit, ffmpeg, pdftoppm, heif-convert',
  )
})

test('each fault of the database is a finding', async () => {
  const facts = await soundFacts()
  for (const kind of ['missing', 'foreign', 'locked', 'damaged', 'newer'] as const)
    expect(codes(checkDatabase({ ...facts, database: { kind, options: {} } }))).toEqual([`database-${kind}`])
  expect(checkDatabase(facts)).toEqual([])
  const unreadable = { kind: 'unreadable', reason: 'EACCES: permission denied', options: {} } as const
  expect(checkDatabase({ ...facts, database: unreadable })).toEqual([
    { code: 'database-unreadable', subject: `${facts.databaseName}: EACCES: permission denied` },
  ])
})
