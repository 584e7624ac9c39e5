import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { createCliContext } from '../../../test/kit/cli-context.ts'
import { originalInstallation } from '../../../test/kit/original-database.ts'
import { deepCheck } from '../machine-checks/deep-check.ts'
import { atSignal } from './verb/at-signal.ts'
import { openRecords } from '../records/open-records.ts'

/** Creates a state with a user, and a served folder. */
async function createState() {
  const context = createCliContext()
  mkdirSync(path.join(context.cwd, 'files'))
  await context.cli(`config init -r ${path.join(context.cwd, 'files')}`)
  await context.cli('users add ann', 'a long password')
  // The fixed time of the command line is in the past or the future of the files.
  const beforeNow = new Date(1_700_000_000_000)
  const makeOld = () => {
    for (const name of readdirSync(context.cwd))
      utimesSync(path.join(context.cwd, name), beforeNow, beforeNow)
  }
  makeOld()
  const doctor = async (...flags: readonly string[]) => {
    const { code, out, err } = await context.cli('doctor', ...flags)
    return {
      code,
      out,
      err,
      codes: [...out.matchAll(/^(?:error|warning): ([\w-]+):/gm)].map(([, name]) => name),
    }
  }
  return { ...context, doctor, makeOld }
}

/** Findings about the machine on which the tests run. */
const ofThisMachine = [
  'helpers-missing',
  'state-not-kept',
  'disk-full',
  'memory-low',
  'open-files-low',
  'inodes-full',
  'state-network-disk',
]

const unexpected = (codes: readonly (string | undefined)[]) =>
  codes.filter((code) => !ofThisMachine.includes(code ?? ''))

test('a sound state has no findings, and nothing is changed', async () => {
  const { cwd, doctor, file } = await createState()
  const before = { names: readdirSync(cwd), bytes: readFileSync(file) }
  const { codes, code, out } = await doctor()
  expect(unexpected(codes)).toEqual([])
  // Some machines have findings of their own.
  expect([code, /^nothing is wrong$/m.test(out)]).toEqual(codes.length === 0 ? [0, true] : [1, false])
  expect({ names: readdirSync(cwd), bytes: readFileSync(file) }).toEqual(before)
})

test('a finding has its code, its sentence, the remedy and its page, and the exit code is 1', async () => {
  const { cwd, doctor } = await createState()
  rmSync(path.join(cwd, 'files'), { recursive: true })
  const { code, out, err } = await doctor()
  expect(code).toBe(1)
  expect(out).toContain(
    [
      `error: root-missing: ${path.join(cwd, 'files')}`,
      '  There is no folder at this path, or a folder above it cannot be entered.',
      '  Mount the disk, or name the folder with -r as an absolute path.',
      '  docs/doctor.md#root-missing',
    ].join('\n'),
  )
  expect(err).toMatch(/^stowage: (one thing needs|\d+ things need) attention\n$/)
})

test('the state of a running server is examined, and the server goes on', async () => {
  const { doctor, file } = await createState()
  const server = await openRecords({ database: file, nowMs: Date.now })
  onTestFinished(() => server.close())
  await server.settings.change({ signup: true })
  const { codes } = await doctor()
  // The log of the server was written after the fixed time of the command line.
  expect(unexpected(codes).filter((code) => code !== 'clock-behind')).toEqual([])
  await server.settings.change({ signup: false })
  expect((await server.settings.get()).signup).toBe(false)
})

test('a damaged database is found, and stays as it is', async () => {
  const { doctor, file, makeOld } = await createState()
  const fd = openSync(file, 'r+')
  writeSync(fd, Buffer.alloc(8192, 0x5a), 0, 8192, 4096)
  closeSync(fd)
  makeOld()
  const damaged = readFileSync(file)
  expect((await doctor()).codes).toContain('database-damaged')
  expect(readFileSync(file)).toEqual(damaged)
})

test('a database of another program, a locked one, one of a newer version and a missing one are found', async () => {
  const { cwd, doctor, file } = await createState()
  const database = new DatabaseSync(file)
  // With a write-ahead log, others may read beside a transaction, unless the connection keeps the file to itself.
  database.exec('pragma locking_mode = exclusive; begin exclusive')
  expect((await doctor()).codes).toContain('database-locked')
  database.exec('rollback')
  database.exec("insert into migration (version, name, applied_at) values (9999, 'later', 0)")
  database.close()
  expect((await doctor()).codes).toContain('database-newer')
  rmSync(file)
  expect((await doctor()).codes).toContain('database-missing')
  expect(existsSync(file)).toBe(false)
  writeFileSync(file, 'no database', { mode: 0o600 })
  expect((await doctor()).codes).toEqual(expect.arrayContaining(['database-foreign']))
  expect(readdirSync(cwd)).toContain('x.db')
})

test('a state that the next start would refuse is found with the reason, and nothing is changed', async () => {
  const { root, database } = originalInstallation('filebrowser-v2.63')
  const state = `${database}.stowage`
  await (await openRecords({ database: state, nowMs: Date.now })).close()
  const before = [database, state].map((name) => readFileSync(name))
  const { code, out } = await createCliContext().run('doctor', '-d', database, '-r', root)
  expect(code).toBe(1)
  expect(out).toContain(
    `error: state-refused: ${state} was not made from the configured database; move it away, and start again\n`,
  )
  expect([database, state].map((name) => readFileSync(name))).toEqual(before)
})

test('a path that cannot be read as a file is found with the reason of the system', async () => {
  const { doctor, file } = await createState()
  rmSync(file)
  mkdirSync(file)
  const { codes, out } = await doctor()
  expect(codes).toContain('database-unreadable')
  expect(out).toContain('EISDIR')
})

test('advisories about this version are read from the last list of the server', async () => {
  const { doctor, file } = await createState()
  const url = 'https://nowhere.invalid/advisories'
  const write = (record: object) =>
    writeFileSync(
      `${file}.advisories`,
      JSON.stringify({ url, askedAtMs: 1, answeredAtMs: 1, failure: null, list: [], ...record }),
    )
  const withUrl = async () => unexpected((await doctor('--advisories', url)).codes)
  expect(await withUrl()).toEqual(['advisories-unread'])
  write({
    list: [{ ghsa_id: 'GHSA-1', summary: 'Oh', vulnerabilities: [{ vulnerable_version_range: '< 1.2.3' }] }],
  })
  expect(await withUrl()).toEqual([])
  write({
    list: [{ ghsa_id: 'GHSA-1', summary: 'Oh', vulnerabilities: [{ vulnerable_version_range: '<= 1.2.3' }] }],
  })
  expect(await withUrl()).toEqual(['known-vulnerability'])
  expect((await doctor('--advisories', url)).out).toContain('error: known-vulnerability: GHSA-1: Oh\n')
  expect(unexpected((await doctor()).codes)).toEqual([])
  write({ failure: 'the status is 500' })
  expect((await doctor('--advisories', url)).out).toContain(`advisories-unread: ${url}: the status is 500\n`)
})

test('the newest backup is restored into a folder of its own and compared', async () => {
  const { cwd, cli, doctor, makeOld } = await createState()
  expect((await doctor('--deep')).codes).toContain('backup-missing')
  mkdirSync(path.join(cwd, 'backups'))
  await cli('backup backups/first')
  makeOld()
  const names = readdirSync(cwd)
  const sound = await doctor('--deep', '--backups', 'backups')
  expect(unexpected(sound.codes)).toEqual([])
  expect(sound.out).toContain(`${path.join(cwd, 'backups/first')} was restored`)
  expect(readdirSync(cwd)).toEqual(names)

  await cli('users add bea', 'another long password')
  makeOld()
  const behind = await doctor('--deep', '--backups', 'backups')
  expect(behind.out).toContain(`backup-behind: ${path.join(cwd, 'backups/first')} lacks 1 of the users`)

  const newest = path.join(cwd, 'backups/second')
  copyFileSync(path.join(cwd, 'backups/first'), newest)
  const fd = openSync(newest, 'r+')
  writeSync(fd, Buffer.alloc(8192, 0x5a), 0, 8192, 4096)
  closeSync(fd)
  const damaged = await doctor('--deep', '--backups', 'backups')
  expect(damaged.out).toContain(`backup-damaged: ${newest}`)
  expect(readdirSync(path.join(cwd, 'backups')).toSorted()).toEqual(['first', 'second'])
  expect(statSync(newest).size).toBe(statSync(path.join(cwd, 'backups/first')).size)
})

test('the temporary folder is beside the database, and only its owner can enter it', async () => {
  const { cwd, cli, file } = await createState()
  mkdirSync(path.join(cwd, 'backups'))
  await cli('backup backups/first')
  const seen = new Set<string>()
  const { found } = await deepCheck({
    databaseFile: file,
    backups: path.join(cwd, 'backups'),
    atSignal,
    nowMs() {
      const [name] = readdirSync(cwd).filter((entry) => entry.startsWith('x.db.doctor-'))
      if (name !== undefined) seen.add((statSync(path.join(cwd, name)).mode & 0o777).toString(8))
      return 1_800_000_000_000
    },
  })
  expect(found).toEqual([])
  expect([...seen]).toEqual(['700'])
  expect(readdirSync(cwd).filter((entry) => entry.includes('doctor'))).toEqual([])
})
