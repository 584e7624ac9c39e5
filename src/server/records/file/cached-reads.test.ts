import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  adminPermissions,
  createClock,
  afterExternalChange,
  shareFields,
  userFields,
  type TestClock,
} from '../../../../test/kit/records.ts'
import { temporaryFolder } from '../../../../test/kit/temporary-folder.ts'
import { ada, ann, runServer } from '../../../../test/kit/run-server.ts'
import { pathOf, root, type Path } from '../../../shared/domain/path.ts'
import { openRecords } from '../open-records.ts'
import type { ServerRecords } from '../port.ts'
import type { SessionRecord } from '../session-store.ts'
import { restoreRecords } from '../restore.ts'

const testPath = (text: string): Path => pathOf(text) ?? root
const hourMs = 3_600_000

/** Opens one database twice, like two processes. The two connections share only the file. */
async function openTwice() {
  const clock = createClock()
  const file = path.join(temporaryFolder(), 'stowage.db')
  const opening = { database: file, nowMs: clock.nowMs }
  const [server, other] = [await openRecords(opening), await openRecords(opening)]
  onTestFinished(() => server.close())
  onTestFinished(() => other.close())
  const { id } = await server.users.add(userFields({ username: 'ann', perm: adminPermissions }))
  await server.users.add(userFields({ username: 'ada', perm: adminPermissions }))
  return { clock, file, server, other, id }
}

async function signIn({ sessions }: ServerRecords, { nowMs }: TestClock, userId: number): Promise<void> {
  const session: SessionRecord = {
    id: 's1',
    userId,
    createdAtMs: nowMs(),
    seenAtMs: nowMs(),
    idleUntilMs: nowMs() + hourMs,
    endsAtMs: nowMs() + 10 * hourMs,
    agent: '',
    address: '',
  }
  const token = { jtiDigest: 'jti', expiresAtMs: nowMs() + hourMs }
  await sessions.add({ ...session, cookieDigest: 'cookie', token })
}

test('a value is read from the database only once', async () => {
  const { server, id } = await openTwice()
  const [first, settings] = [await server.users.find(id), await server.settings.get()]
  expect(await server.users.find(id)).toBe(first)
  expect(await server.settings.get()).toBe(settings)
})

test('a change of a user by another process is seen at the next read', async () => {
  const { server, other, id } = await openTwice()
  for (const perm of [adminPermissions, { ...adminPermissions, admin: false }, adminPermissions]) {
    await afterExternalChange(other.users.update(id, { perm }))
    expect((await server.users.find(id))?.perm).toEqual(perm)
  }
  await afterExternalChange(other.users.remove(id))
  expect(await server.users.find(id)).toBe(null)
})

test('a share that another process has created is removed when a new entry is created at its path', async () => {
  const { server, other, id } = await openTwice()
  const share = async (hash: string, path: Path) =>
    afterExternalChange(other.shares.add(shareFields({ hash, path, userId: id })))
  for (let round = 0; round < 2; round += 1) {
    await server.shares.endWithin(testPath('/x%y/b'))
    await share(`below ${round}`, testPath('/x%y/b/c'))
    await share(`beside ${round}`, testPath('/x%y/bb'))
    await server.shares.endWithin(testPath('/x%y/b/c/d'))
    expect(await server.shares.find(`below ${round}`)).not.toBe(null)
    await server.shares.endWithin(testPath('/x%y/b'))
    expect(await server.shares.find(`below ${round}`)).toBe(null)
    expect(await server.shares.find(`beside ${round}`)).not.toBe(null)
  }
  await server.shares.endWithin(root)
  expect(await server.shares.list()).toEqual([])
})

test('a setting that another process changes is seen at the next read', async () => {
  const { server, other } = await openTwice()
  for (const signup of [true, false]) {
    await afterExternalChange(other.settings.change({ signup }))
    expect((await server.settings.get()).signup).toBe(signup)
  }
})

test.each(['findByJti', 'findByCookie'] as const)(
  '%s: a session that another process ends is not found',
  async (find) => {
    const { clock, server, other, id } = await openTwice()
    await signIn(server, clock, id)
    const digest = find === 'findByJti' ? 'jti' : 'cookie'
    expect(await server.sessions[find](digest)).toMatchObject({ id: 's1' })
    await afterExternalChange(other.sessions.end('s1'))
    expect(await server.sessions[find](digest)).toBe(null)
  },
)

test.each(['findByJti', 'findByCookie'] as const)(
  '%s: a session that expires without a change is not found',
  async (find) => {
    const { clock, server, id } = await openTwice()
    await signIn(server, clock, id)
    const digest = find === 'findByJti' ? 'jti' : 'cookie'
    expect(await server.sessions[find](digest)).toMatchObject({ id: 's1' })
    clock.advance(hourMs)
    expect(await server.sessions[find](digest)).toBe(null)
  },
)

test('a session that did not exist is found as soon as it exists', async () => {
  const { clock, server, other, id } = await openTwice()
  expect(await server.sessions.findByJti('jti')).toBe(null)
  await afterExternalChange(signIn(other, clock, id))
  expect(await server.sessions.findByJti('jti')).toMatchObject({ id: 's1' })
})

test('a change is seen immediately by the process that made it', async () => {
  const { server, id } = await openTwice()
  const seen: boolean[] = []
  for (const hideDotfiles of [true, false, true]) {
    await server.users.find(id)
    await server.users.update(id, { hideDotfiles })
    seen.push((await server.users.find(id))?.hideDotfiles ?? !hideDotfiles)
  }
  await server.settings.get()
  await server.settings.change({ signup: true })
  expect([seen, (await server.settings.get()).signup]).toEqual([[true, false, true], true])
})

test('reads that are concurrent with changes do not hide the last change', async () => {
  const { server, other, id } = await openTwice()
  for (let round = 0; round < 50; round += 1) {
    const looking = Promise.all(Array.from({ length: 5 }, () => server.users.find(id)))
    const change = { locale: round % 3 === 0 ? 'de' : 'fr' }
    if (round % 2 === 0) await server.users.update(id, change)
    else await afterExternalChange(other.users.update(id, change))
    expect((await server.users.find(id))?.locale).toBe(round % 3 === 0 ? 'de' : 'fr')
    await looking
  }
})

test('a restored backup is seen at the next read', async () => {
  const { clock, file, server, id } = await openTwice()
  const backup = path.join(path.dirname(file), 'backup.db')
  await server.fileOperations?.copyTo(backup)
  await server.users.update(id, { locale: 'de' })
  expect((await server.users.find(id))?.locale).toBe('de')
  await afterExternalChange(restoreRecords({ from: backup, file, formerCopy: null, nowMs: clock.nowMs }))
  expect((await server.users.find(id))?.locale).toBe('en')
})

test('a restore forgets the disks of shares', async () => {
  const { clock, file, server, id } = await openTwice()
  const backup = path.join(path.dirname(file), 'backup.db')
  const disk = { mountPoint: '/mnt/', inode: '2' }
  await server.shares.add(shareFields({ hash: 'kept', userId: id, disk }))
  await server.fileOperations?.copyTo(backup)
  await afterExternalChange(restoreRecords({ from: backup, file, formerCopy: null, nowMs: clock.nowMs }))
  expect((await server.shares.find('kept'))?.disk).toBe(null)
})

test(
  'the command line removes a permission, and the next request is refused',
  { timeout: 120_000 },
  async () => {
    const server = await runServer({ files: { 'a.txt': 'a' }, people: [ada, ann] })
    onTestFinished(() => server.remove())
    const body = JSON.stringify({ username: ann.name, password: ann.password })
    const login = await fetch(`${server.url}/api/login`, { method: 'POST', body })
    const headers = { 'X-Auth': await login.text() }
    const download = async () => (await fetch(`${server.url}/api/raw/a.txt`, { headers })).status
    expect([await download(), await download()]).toEqual([200, 200])
    await server.cli('users', 'update', ann.name, '--perm.download=false', '--perm.share=false')
    expect(await download()).toBe(403)
    await server.cli('users', 'update', ann.name, '--password', 'ann has another long password')
    expect(await download()).toBe(401)
  },
)
