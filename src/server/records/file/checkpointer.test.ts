import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { userFields } from '../../../../test/kit/records.ts'
import { ada, ann, runServer } from '../../../../test/kit/run-server.ts'
import { sharedDatabaseThreads } from '../../../../test/kit/shared-threads.ts'
import { eventually } from '../../../../test/kit/start-http-server.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { openRecords } from '../open-records.ts'

/** Returns what a copy of the database file alone contains, as people make it with `cp` while the server runs. */
function inCopyOf(file: string, query: string): unknown[] {
  const copy = path.join(temporaryFolder(), 'copy.db')
  copyFileSync(file, copy)
  const database = new DatabaseSync(copy)
  try {
    return database
      .prepare(query)
      .all()
      .map((row) => Object.values(row)[0])
  } catch (error) {
    return [String(error)]
  } finally {
    database.close()
  }
}
const userNames = 'select username from user order by username'

/** Opens a database in the way in which a server does. */
async function openForServer() {
  const file = path.join(temporaryFolder(), 'stowage.db')
  const lines: string[] = []
  const log = (line: string): void => void lines.push(line)
  const opening = { database: file, nowMs: Date.now }
  const records = await openRecords({ ...opening, upkeep: { log, threads: sharedDatabaseThreads() } })
  onTestFinished(() => records.close())
  return { file, lines, records, opening }
}

test('a copy of the file alone holds the first user at once, and every later change soon', async () => {
  const { file, lines, records, opening } = await openForServer()
  expect(inCopyOf(file, userNames)).toEqual([])
  const initial = { settings: {}, server: {}, key: new Uint8Array(64) }
  await records.setUp({ ...initial, user: userFields({ username: 'admin' }) })
  expect(inCopyOf(file, userNames)).toEqual(['admin'])

  const { id } = await records.users.add(userFields({ username: 'bea' }))
  await eventually(() => inCopyOf(file, userNames).length === 2)
  await records.users.update(id, { passwordHash: 'changed' })
  await eventually(() => inCopyOf(file, `select password_hash from user where id = ${id}`)[0] === 'changed')
  await records.settings.change({ signup: true })
  await eventually(() => inCopyOf(file, "select value from setting where key = 'signup'")[0] === 'true')
  const failures = { key: 'login', resetAtMs: null, windowMs: 60_000, maxTimes: 5 }
  await records.throttles.count([{ ...failures, atMs: Array.from({ length: 3 }, () => Date.now()) }])
  await eventually(() => inCopyOf(file, 'select fails from login_throttle')[0] === 3)

  // A command of the command line merges its own change before it ends.
  const command = await openRecords(opening)
  await command.users.add(userFields({ username: 'carl' }))
  await command.close()
  expect(inCopyOf(file, userNames)).toEqual(['admin', 'bea', 'carl'])
  expect(lines).toEqual([])
})

test.each(['removed', 'replaced', 'without its log'])(
  'a file that is %s under a running server is noticed, and nothing is written any more',
  async (how) => {
    const { file, lines, records } = await openForServer()
    const { id } = await records.users.add(userFields({ username: 'ann' }))
    await records.users.find(id)
    const moved = how === 'without its log' ? `${file}-wal` : file
    renameSync(moved, `${moved}.away`)
    if (how === 'replaced') writeFileSync(moved, '')
    await expect(records.ping()).rejects.toMatchObject({ code: 'unavailable' })
    await expect(records.users.update(id, { locale: 'de' })).rejects.toMatchObject({
      code: 'unavailable',
      reason: `the database file ${file} was removed or replaced while the server was running`,
    })
    expect(lines).toEqual([expect.stringContaining(`Error: the database file ${file} was removed`)])
    expect((await records.users.find(id))?.locale).toBe('en')

    renameSync(`${moved}.away`, moved)
    await records.ping()
    await records.users.update(id, { locale: 'fr' })
    expect(lines.slice(1)).toEqual([`The database file ${file} is back`])
  },
)

test(
  'the accounts of a killed server are in its database file, when what lies beside the file is lost',
  { timeout: 120_000 },
  async () => {
    const server = await runServer({ people: [ada, ann] })
    onTestFinished(() => server.remove())
    const login = async (password: string): Promise<number> => {
      const body = JSON.stringify({ username: ann.name, password })
      return (await fetch(`${server.url}/api/login`, { method: 'POST', body })).status
    }
    expect(await login(ann.password)).toBe(200)
    const [before] = inCopyOf(server.database, "select password_hash from user where username = 'ann'")
    await server.cli('users', 'update', ann.name, '--password', 'ann has another long password')
    await server.cli('users', 'add', 'carl', 'carl has a long password')
    await eventually(() => inCopyOf(server.database, userNames).length === 3)
    expect(inCopyOf(server.database, "select password_hash from user where username = 'ann'")).not.toEqual([
      before,
    ])
    await server.stop('SIGKILL')
    for (const ending of ['-wal', '-shm']) rmSync(server.database + ending)
    await server.start()
    expect([await login(ann.password), await login('ann has another long password')]).toEqual([403, 200])

    rmSync(server.database)
    expect((await fetch(`${server.url}/health`)).status).toBe(503)
    expect(await login('ann has another long password')).toBe(503)
    await eventually(() => server.output().includes(`the database file ${server.database} was removed`))
  },
)
