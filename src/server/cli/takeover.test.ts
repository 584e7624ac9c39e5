import { spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { boltFile } from '../../../test/kit/bolt-file.ts'
import { cli } from '../../../test/kit/cli-context.ts'
import { openConfiguredServer } from '../../../test/kit/configured-server.ts'
import {
  expectationsOf,
  fixtureBytes,
  originalInstallation,
  originalVersions,
  type OriginalExpectations,
  type OriginalVersion,
} from '../../../test/kit/original-database.ts'
import { canMount, memoryDisk, succeeds } from '../../../test/kit/mounts.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { realEnvironment } from '../config/config-environment.ts'
import { openRecords } from '../records/open-records.ts'
import type { ServerRecords } from '../records/port.ts'
import { servingConfig } from './serving-config.ts'

type Installation = ReturnType<typeof originalInstallation>

/** Starts a server that takes the database over. The server is closed at the end of the test. */
async function startOn(installation: Installation, ...flags: readonly string[]) {
  const server = await openOn(installation, ...flags)
  onTestFinished(server.close)
  return server
}

/** Starts a server as `startOn` does, for use in several tests. The caller must close the server. */
async function openOn(installation: Installation, ...flags: readonly string[]) {
  const server = await openConfiguredServer(installation, flags)
  const logIn = async (username: string, password: string): Promise<string> => {
    const response = await server.logIn(username, password)
    return response.ok ? response.text() : `refused: ${response.status}`
  }
  return { ...server, logIn }
}

/** Starts a server on a database, and logs all users in with their old passwords. */
async function takeOver(version: OriginalVersion) {
  const cleanUps: (() => void)[] = []
  const installation = originalInstallation(version, 'filebrowser.db', {
    atEnd: (cleanUp) => void cleanUps.push(cleanUp),
  })
  const before = fingerprintOf(installation.database)
  const server = await openOn(installation)
  const { users, passwords } = expectationsOf(version)
  const logins = new Map<string, string>()
  for (const { username } of users)
    logins.set(username, await server.logIn(username, passwords[username] ?? ''))
  const end = async () => {
    await server.close()
    for (const cleanUp of cleanUps) cleanUp()
  }
  return { ...server, ...installation, before, logins, end }
}

async function recordsOf<T>(database: string, use: (records: ServerRecords) => Promise<T>): Promise<T> {
  const records = await openRecords({ database, nowMs: Date.now, ifMissing: 'refuse' })
  try {
    return await use(records)
  } finally {
    await records.close()
  }
}

/** Returns everything about a file that a takeover must leave as it is. */
const fingerprintOf = (file: string) => {
  const { mtimeNs, size, mode, ino } = statSync(file, { bigint: true })
  return { mtimeNs, size, mode, ino, content: readFileSync(file).toString('base64') }
}

describe.each(originalVersions)('the database of %s is taken over:', (version) => {
  const expected = expectationsOf(version)
  const visibleShares = expected.shares.filter(({ guest }) => guest.status === 200 || guest.status === 401)

  /** A server that has taken a database over, and the responses to the first logins of all users, keyed by name. */
  let taken: Awaited<ReturnType<typeof takeOver>>
  beforeAll(async () => {
    taken = await takeOver(version)
  })
  afterAll(() => taken.end())

  test('the old file stays as it is, and our own lies beside it and is private', () => {
    const { database, state, before } = taken
    expect(fingerprintOf(database)).toEqual(before)
    expect(statSync(`${database}.stowage`).mode & 0o777).toBe(0o600)
    expect(readdirSync(state).filter((name) => name.includes('unfinished'))).toEqual([])
  })

  test('users keep their ids, fields and hashes, and new users get new ids', async () => {
    const installation = originalInstallation(version)
    await cli('takeover', '-d', installation.database, '-r', installation.root)
    await recordsOf(`${installation.database}.stowage`, async ({ users, settings }) => {
      const stored = (await users.list()).map(({ passwordHash: password, ...user }) => ({
        ...user,
        password,
      }))
      expect(stored).toMatchObject(expected.users.map(({ scope: _scope, rules: _rules, ...user }) => user))
      expect(Buffer.from((await settings.key()) ?? []).toString('base64')).toBe(expected.signingKeyBase64)
      const [first] = await users.list()
      const added = await users.add({ ...first!, username: 'another' })
      expect(added.id).toBe(14)
    })
  })

  test('settings, branding and the options of the server come over, and are exported as File Browser exports them', async () => {
    const { database, root, state } = originalInstallation(version)
    await cli('takeover', '-d', database, '-r', root)
    const file = path.join(state, 'config.json')
    expect((await cli('config', 'export', file, '-d', database)).code).toBe(0)
    const { settings, ...others } = JSON.parse(readFileSync(file, 'utf8')) as OriginalExpectations['config']
    const { settings: formerSettings, server, auther } = expected.config
    const rules = settings['rules'] as readonly { readonly regexp: { readonly raw: string } | null }[]
    // The takeover adds a rule that keeps the siblings of a denied path denied, as early versions did.
    const keptRules = rules.filter(({ regexp }) => regexp?.raw !== '^/internal[^/]')
    expect({ ...settings, rules: keptRules }).toMatchObject(formerSettings)
    // Early versions ignored the stored switches, and the longest time of a session is shorter here.
    const ignored =
      version === 'filebrowser-v2.63'
        ? ['authHook', 'tokenExpirationTime']
        : ['enableThumbnails', 'resizePreview', 'typeDetectionByHeader']
    const kept = Object.fromEntries(Object.entries(server).filter(([name]) => !ignored.includes(name)))
    expect(others).toMatchObject({ server: kept, auther })
  })

  test('everybody logs in with the old password, and reads what they could read', async () => {
    const { logIn, get, logins } = taken
    for (const { username } of expected.users)
      expect([username, logins.get(username)?.split('.').length]).toEqual([username, 3])
    expect(await logIn('alice', 'a wrong password')).toBe('refused: 403')
    const alice = { 'x-auth': await logIn('alice', expected.passwords['alice'] ?? '') }
    const statuses = await Promise.all(
      [
        'docs/report.txt',
        'private/diary.txt',
        'private/open/ok.txt',
        'internal/plan.txt',
        'notes.secret',
        'docs/draft.tmp',
      ].map(async (file) => (await get(`/api/resources/${file}`, alice)).status),
    )
    expect(statuses).toEqual([200, 403, 200, 403, 403, 403])
  })

  /** Returns the status of a request that only administrators may send. */
  const statusOf = async (name: string): Promise<number> =>
    (await taken.get('/api/users', { 'x-auth': taken.logins.get(name) ?? '' })).status

  test('an administrator administers, and nobody else does', async () => {
    expect([await statusOf('admin'), await statusOf('kim@example.org'), await statusOf('bob')]).toEqual([
      200, 200, 403,
    ])
  })

  test('old links open, with their passwords and tokens; others do not', async () => {
    const { get } = taken
    for (const { answerToOwner: share, password, guest } of expected.shares) {
      const at = `/api/public/share/${share.hash}`
      expect([share.hash, (await get(at)).status]).toEqual([share.hash, guest.status])
      if (password === undefined) continue
      const opened = await get(at, { 'x-share-password': encodeURIComponent(password) })
      expect([share.hash, opened.status]).toEqual([share.hash, 200])
      expect((await get(at, { 'x-share-password': 'wrong' })).status).toBe(401)
      if (share.token === undefined) continue
      const download = `/api/public/dl/${share.hash}?token=${share.token}`
      expect([(await get(download)).status, (await get(`${download}x`)).status]).toEqual([200, 401])
    }
    expect(visibleShares.length).toBeGreaterThan(6)
  })

  test('the report names what changes and what stays behind', async () => {
    const { root, database, state } = originalInstallation(version)
    const dry = await cli('takeover', '--dry-run', '-d', database, '-r', root)
    expect([dry.code, readdirSync(state)]).toEqual([0, ['filebrowser.db']])
    expect(dry.out).toContain('12 users')
    expect(dry.out).toContain('User frank: The scope /media/backup')
    expect(dry.out).toMatch(
      /User alice: The share \w+ for \/vanishing\.txt waits, because there is no such entry/,
    )
    expect(dry.out).toMatch(
      /The share \w+ of the user 11 for \/left\.txt is left out, because its owner does not exist/,
    )
    expect(dry.out).toMatch(
      /User alice: The share \w+ for \/pics\/dot\.png is left out, because it has expired/,
    )
    const done = await cli('takeover', '-d', database, '-r', root)
    expect(done.out.split('\n').slice(1)).toEqual(
      dry.out.replace('nothing was changed\n', '').split('\n').slice(1),
    )
    const again = await cli('takeover', '-d', database)
    expect(again.out).toContain('is the state already')
    expect(again.out).toContain('User frank: The scope /media/backup')
  })

  test('a token that was issued before is a login, and ends when its session is ended', async () => {
    const { get, url } = taken
    const token = validToken(version)
    expect((await get('/api/users', { 'x-auth': token })).status).toBe(200)
    const ended = await fetch(`${url}/api/logout`, { method: 'POST', headers: { 'x-auth': token } })
    expect(ended.ok).toBe(true)
    expect((await get('/api/users', { 'x-auth': token })).status).toBe(401)
  })

  test('a restored backup accepts no token that was issued before', async () => {
    const installation = originalInstallation(version)
    const { root, database, state } = installation
    const backup = path.join(state, 'backup')
    await cli('backup', backup, '-d', database, '-r', root)
    expect((await cli('restore', backup, '--force', '-d', database)).code).toBe(0)
    const { get, logIn } = await startOn(installation)
    expect((await get('/api/users', { 'x-auth': validToken(version) })).status).toBe(401)
    const token = await logIn('admin', 'correct-horse-battery-1')
    expect((await get('/api/users', { 'x-auth': token })).status).toBe(200)
  })

  test('neither a backup nor a restore writes to the old file', async () => {
    const { root, database } = originalInstallation(version)
    const before = fingerprintOf(database)
    const backup = path.join(temporaryFolder(), 'backup')
    await cli('backup', backup, '-d', database, '-r', root)
    expect((await cli('backup', database, '--force', '-d', database, '-r', root)).code).toBe(1)
    rmSync(`${database}.stowage`)
    expect((await cli('restore', backup, '--force', '-d', database)).code).toBe(0)
    expect(fingerprintOf(database)).toEqual(before)
    expect((await cli('users', 'ls', '-d', database)).out).toContain('alice')
  })

  test.each([
    ['that was not taken over yet', false],
    ['that was taken over', true],
  ])('a backup of another installation is not restored beside an old file %s', async (_case, isTakenOver) => {
    const { root, database, state } = originalInstallation(version)
    const [own, backup] = [path.join(temporaryFolder(), 'own.db'), path.join(temporaryFolder(), 'backup')]
    await cli('config', 'init', '-d', own)
    await cli('backup', backup, '-d', own)
    if (isTakenOver) await cli('takeover', '-d', database, '-r', root)
    const databases = () => readdirSync(state).filter((file) => !/-(?:wal|shm)$/.test(file))
    const before = databases()
    const { code, err } = await cli('restore', backup, '--force', '-d', database)
    expect([code, err.includes(`was not made from ${database}`)]).toEqual([1, true])
    expect(databases()).toEqual(before)
    expect((await cli('users', 'ls', '-d', database, '-r', root)).out).toContain('alice')
  })

  test('every verb of the command line works on the old file', async () => {
    const { root, database } = originalInstallation(version)
    const listed = await cli('users', 'ls', '-d', database, '-r', root)
    expect([listed.code, listed.out.includes('alice'), listed.err.includes('Took over')]).toEqual([
      0,
      true,
      true,
    ])
    const again = await cli('users', 'find', 'alice', '-d', database, '-r', root)
    expect([again.code, again.err]).toEqual([0, ''])
    expect((await cli('config', 'init', '-d', database)).code).toBe(1)
  })
})

test('a scope inside the folder of a container keeps its folder and its shares on another machine', async () => {
  const version = 'filebrowser-v2.20.1'
  const installation = originalInstallation(version, 'filebrowser.db', { isContainer: true })
  const { logIn, get } = await startOn(installation)
  const bob = { 'x-auth': await logIn('bob', expectationsOf(version).passwords['bob'] ?? '') }
  const listed = (await (await get('/api/resources/', bob)).json()) as { items: { name: string }[] }
  expect(listed.items.map(({ name }) => name)).toEqual(['apollo', 'zeus'])
  const share = expectationsOf(version).shares.find(({ by }) => by === 'bob')
  expect((await get(`/api/public/share/${share?.answerToOwner.hash}`)).status).toBe(200)
  const report = await cli('takeover', '-d', installation.database)
  expect(report.out).toContain('The scope /srv/projects was a folder of the machine. It is /projects now')
})

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Returns a token of an administrator that has not expired. The tokens of the older version last two hours only. */
function validToken(version: OriginalVersion): string {
  const { tokens, signingKeyBase64 } = expectationsOf(version)
  const { claims } = tokens['admin']!
  const later = { ...claims, exp: Math.floor(Date.now() / 1000) + 3600 }
  const signed = `${encode({ alg: 'HS256', typ: 'JWT' })}.${encode(later)}`
  const signature = createHmac('sha256', Buffer.from(signingKeyBase64, 'base64')).update(signed)
  return version === 'filebrowser-v2.63'
    ? tokens['admin']!.token
    : `${signed}.${signature.digest('base64url')}`
}

test('a database that another version has upgraded is taken over with the scopes of that version', async () => {
  const { root, database } = originalInstallation('filebrowser-v2.63', 'upgraded-from-v2.20.1.db')
  const { out } = await cli('takeover', '--dry-run', '-d', database, '-r', root)
  expect(out).toContain(
    `User bob: The scope ${root}/projects is ${root}/projects below the root, but there is no such folder.`,
  )
})

test.each([
  ['filebrowser-v2.20.1', 'proxy-auth.db', 'The login method is proxy'],
  ['filebrowser-v2.20.1', 'no-auth.db', 'The login method is noauth'],
  ['filebrowser-v2.20.1', 'captcha.db', 'The login method is json, with its captcha.'],
  ['filebrowser-v2.20.1', 'first-run.db', 'The login method is json'],
  ['filebrowser-v2.63', 'hook-auth.db', 'The login method is hook'],
  ['filebrowser-v2.63', 'first-run.db', 'The login method is json'],
] as const)('of %s, %s is taken over', async (version, file, line) => {
  const installation = originalInstallation(version, file)
  const { get, isWithoutLogin } = await startOn(installation)
  expect((await get('/health')).status).toBe(200)
  expect(isWithoutLogin).toBe(file === 'no-auth.db')
  expect((await cli('takeover', '-d', installation.database)).out).toContain(line)
})

test('a proxy in a private network is trusted until the list of proxies is set', async () => {
  const installation = originalInstallation('filebrowser-v2.20.1', 'proxy-auth.db')
  expect((await startOn(installation)).config.trustedProxies).toContain('172.16.0.0/12')
  const set = await startOn(installation, '--auth.trustedProxies', '192.0.2.1')
  expect(set.config.trustedProxies).toEqual(['192.0.2.1'])
})

test('the relative paths of a database are relative to the folder of the takeover, and are stored as absolute paths', async () => {
  const [folder, state] = [temporaryFolder(), temporaryFolder()]
  mkdirSync(path.join(folder, 'data'))
  const database = path.join(state, 'filebrowser.db')
  const config = {
    settings: '{"rules":null,"branding":{"files":"look"}}',
    server: '{"root":"./data","tlsKey":"key.pem","log":"stdout","tokenExpirationTime":"2h"}',
  }
  writeFileSync(database, withUser(userRecord({ rules: [] }), config))
  const take = ['-d', database]
  await servingConfig(take, realEnvironment({}, folder), { nowMs: Date.now, randomBytes })
  const stored = await recordsOf(`${database}.stowage`, async ({ settings }) => ({
    server: await settings.server(),
    branding: (await settings.get()).branding,
  }))
  expect(stored.server).toMatchObject({ root: path.join(folder, 'data'), key: path.join(folder, 'key.pem') })
  // An empty theme was the light one in File Browser.
  expect(stored.branding).toMatchObject({ files: path.join(folder, 'look'), theme: 'light' })
  const elsewhere = await servingConfig(take, realEnvironment({}, state), { nowMs: Date.now, randomBytes })
  expect(elsewhere.config.root).toBe(path.join(folder, 'data'))
})

const userRecord = (fields: object) =>
  JSON.stringify({ id: 1, username: 'a', password: '', scope: '.', perm: {}, rules: null, ...fields })
const withUser = (user: string, config: Record<string, string> = { settings: '{"rules":null}' }) =>
  boltFile({ config, User: { '\0\0\0\0\0\0\0\u0001': user } })

describe('a file that cannot be taken over is refused, and nothing is made:', () => {
  const whole = fixtureBytes('filebrowser-v2.63/filebrowser.db')

  test.each([
    ['cut off', whole.subarray(0, 20_000), 'is cut off'],
    ['damaged', Buffer.from(whole).fill(255, 5 * 4096, 9 * 4096), 'is damaged'],
    ['of FileBrowser Quantum', fixtureBytes('quantum-v1.5.1/database.db'), 'FileBrowser Quantum'],
    ['of File Browser 1', withUser(userRecord({}), {}), 'File Browser 1'],
    [
      'whose user has no rules',
      withUser('{"id":1,"username":"a","password":"","scope":".","perm":{}}'),
      'has no rules',
    ],
    ['of another program', boltFile({ other: { a: 'b' } }), 'holds nothing of File Browser'],
    ['with a damaged record', withUser('{"id": 1, '), 'user 1 is damaged'],
    ['with a record of another id', withUser(userRecord({ id: 2 })), 'user 1 is damaged'],
    ['with a record of another shape', withUser(userRecord({ scope: 7 })), 'user 1.scope is no text'],
  ])('%s', async (_case, bytes, reason) => {
    const [root, state] = [temporaryFolder(), temporaryFolder()]
    const database = path.join(state, 'filebrowser.db')
    writeFileSync(database, bytes)
    for (const verb of [['takeover'], ['takeover', '--dry-run'], ['users', 'ls']]) {
      const { code, err } = await cli(...verb, '-d', database, '-r', root)
      expect([code, err.trimEnd().split('\n').length]).toEqual([1, 1])
      expect(err).toContain(reason)
    }
    expect([readdirSync(state), readFileSync(database).equals(bytes)]).toEqual([['filebrowser.db'], true])
  })

  test('with a served folder that is missing', async () => {
    const { database, state } = originalInstallation('filebrowser-v2.63')
    const { code, err } = await cli('takeover', '-d', database, '-r', '/nowhere/at/all')
    expect([code, err.includes('cannot be read'), readdirSync(state)]).toEqual([1, true, ['filebrowser.db']])
  })
})

const inServedFolder = ({ root }: Pick<Installation, 'root'>) =>
  path.join(root, '.stowage/state/filebrowser.db.stowage')
/** Moves the database to a file system that cannot be written. */
const readOnly = (installation: Installation): Installation => {
  const disk = memoryDisk('size=4m')!
  onTestFinished(() => disk.remove())
  const database = path.join(disk.folder, 'filebrowser.db')
  copyFileSync(installation.database, database)
  disk.remount('ro')
  return { ...installation, database }
}

describe('where the state goes:', () => {
  const hasMounts = canMount()

  test.runIf(hasMounts)(
    'into the served folder when the folder of the database cannot be written',
    async () => {
      const installation = readOnly(originalInstallation('filebrowser-v2.63'))
      const { get, notices, logIn } = await startOn(installation)
      expect(statSync(inServedFolder(installation)).mode & 0o777).toBe(0o600)
      expect(notices.join('\n')).toContain('"./database:/database"')
      const token = await logIn('carol', 'Carol sings 12 songs')
      const hidden = await get('/api/resources/.stowage/state/filebrowser.db.stowage', { 'x-auth': token })
      expect(hidden.status).toBe(403)
      expect((await cli('users', 'ls', '-d', installation.database, '-r', installation.root)).code).toBe(0)
    },
  )

  test.runIf(hasMounts)('into the served folder when the database is mounted as a single file', async () => {
    const installation = originalInstallation('filebrowser-v2.63')
    const database = path.join(temporaryFolder(), 'filebrowser.db')
    writeFileSync(database, '')
    succeeds('mount', '--bind', installation.database, database)
    onTestFinished(() => void succeeds('umount', '-l', database))
    await startOn({ ...installation, database })
    expect(existsSync(inServedFolder(installation))).toBe(true)
    expect(readdirSync(path.dirname(database))).toEqual(['filebrowser.db'])
  })

  test.runIf(hasMounts)('not through links that somebody else has put into the served folder', async () => {
    const installation = readOnly(originalInstallation('filebrowser-v2.63'))
    symlinkSync('alice', path.join(installation.root, '.stowage'))
    const { code, err } = await cli('users', 'ls', '-d', installation.database, '-r', installation.root)
    expect([code, err.includes('is a symbolic link')]).toEqual([1, true])
  })

  test.runIf(hasMounts)('not into a state that somebody else has put into the served folder', async () => {
    const installation = readOnly(originalInstallation('filebrowser-v2.63'))
    mkdirSync(path.dirname(inServedFolder(installation)), { recursive: true })
    const planted = await openRecords({ database: inServedFolder(installation), nowMs: Date.now })
    await planted.close()
    const { code, err } = await cli('users', 'ls', '-d', installation.database, '-r', installation.root)
    expect([code, err.includes('was not made from the configured database')]).toEqual([1, true])
  })

  test('not into a state beside it that others may write and that was not made from it', async () => {
    const { root, database } = originalInstallation('filebrowser-v2.63')
    const own = `${database}.stowage`
    await (await openRecords({ database: own, nowMs: Date.now })).close()
    chmodSync(own, 0o644)
    const refused = await cli('users', 'ls', '-d', database, '-r', root)
    expect([refused.code, refused.err.includes('was not made from the configured database')]).toEqual([
      1,
      true,
    ])
    rmSync(own)
    await cli('takeover', '-d', database, '-r', root)
    chmodSync(own, 0o644)
    expect((await cli('users', 'ls', '-d', database, '-r', root)).out).toContain('alice')
  })

  test('not into a private state beside it that was not made from it, and not through a link', async () => {
    const { root, database, state } = originalInstallation('filebrowser-v2.63')
    const own = `${database}.stowage`
    await (await openRecords({ database: own, nowMs: Date.now })).close()
    const foreign = await cli('users', 'ls', '-d', database, '-r', root)
    expect([foreign.code, foreign.err.includes('was not made from the configured database')]).toEqual([
      1,
      true,
    ])
    for (const target of [own, path.join(state, 'absent')]) {
      renameSync(own, path.join(state, 'moved'))
      symlinkSync(target === own ? path.join(state, 'moved') : target, own)
      const linked = await cli('users', 'ls', '-d', database, '-r', root)
      expect([linked.code, linked.err.includes('is a symbolic link')]).toEqual([1, true])
      rmSync(own)
      renameSync(path.join(state, 'moved'), own)
    }
  })

  test.each(['-journal', '-wal'])('not beside the log %s of another database', async (suffix) => {
    const { root, database } = originalInstallation('filebrowser-v2.63')
    writeFileSync(`${database}.stowage${suffix}`, 'pages of another database')
    const { code, err } = await cli('takeover', '-d', database, '-r', root)
    expect([code, err.includes('does not belong to a database')]).toEqual([1, true])
    expect(existsSync(`${database}.stowage`)).toBe(false)
  })

  test('a folder with the name of an unfinished state does not stop it', async () => {
    const { root, database } = originalInstallation('filebrowser-v2.63')
    mkdirSync(`${database}.stowage.unfinished-999999-x`)
    expect((await cli('takeover', '-d', database, '-r', root)).code).toBe(0)
  })

  test('in the served folder it stays in use when the folder of the database can be written later', async () => {
    const { root, database } = originalInstallation('filebrowser-v2.63')
    await cli('takeover', '-d', database, '-r', root)
    const inside = inServedFolder({ root })
    mkdirSync(path.dirname(inside), { recursive: true })
    renameSync(`${database}.stowage`, inside)
    await cli('users', 'rm', 'bob', '-d', database, '-r', root)
    expect(existsSync(`${database}.stowage`)).toBe(false)
    expect((await cli('users', 'ls', '-d', database, '-r', root)).out).not.toContain('bob')
    // A state that was not made from the database does not stop a takeover beside it.
    rmSync(inside)
    await (await openRecords({ database: inside, nowMs: Date.now })).close()
    expect((await cli('users', 'ls', '-d', database, '-r', root)).out).toContain('bob')
  })

  test('a state without its old file is refused when others may write it', async () => {
    const { root, database } = originalInstallation('filebrowser-v2.63')
    await cli('takeover', '-d', database, '-r', root)
    rmSync(database)
    chmodSync(`${database}.stowage`, 0o644)
    const { code, err } = await cli('users', 'ls', '-d', database, '-r', root)
    expect([code, err.includes('chmod 600')]).toEqual([1, true])
  })

  test.each(['', 'no database'])('not into a file beside it that is no database: "%s"', async (content) => {
    const { root, database } = originalInstallation('filebrowser-v2.63')
    writeFileSync(`${database}.stowage`, content)
    const { code, err } = await cli('users', 'ls', '-d', database, '-r', root)
    expect([code, err.includes('is not a database; move it away')]).toEqual([1, true])
  })

  test('the state is found when the old file was removed', async () => {
    const installation = originalInstallation('filebrowser-v2.63')
    await cli('takeover', '-d', installation.database, '-r', installation.root)
    rmSync(installation.database)
    expect((await cli('users', 'ls', '-d', installation.database)).out).toContain('alice')
  })
})

/** Returns the key of a user in the database of File Browser. */
const keyOf = (id: number): string => {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(BigInt(id))
  return key.toString('latin1')
}

test('thousands of users and shares are taken over', async () => {
  const [root, state] = [temporaryFolder(), temporaryFolder()]
  writeFileSync(path.join(root, 'a.txt'), '')
  const password = `$2a$10$${'a'.repeat(53)}`
  const ids = Array.from({ length: 3000 }, (_, at) => at + 1)
  const users = ids.map((id) => [
    keyOf(id),
    JSON.stringify({ id, username: `user${id}`, password, scope: '.', perm: {}, rules: [] }),
  ])
  const shares = ids.map((id) => [
    `h${id}`,
    JSON.stringify({ hash: `h${id}`, path: '/a.txt', userID: id, expire: 0 }),
  ])
  const database = path.join(state, 'filebrowser.db')
  writeFileSync(
    database,
    boltFile({
      config: { settings: '{"rules":null}' },
      User: Object.fromEntries(users) as Record<string, string>,
      Link: Object.fromEntries(shares) as Record<string, string>,
    }),
  )
  const { out } = await cli('takeover', '-d', database, '-r', root)
  expect(out).toContain('3000 users')
  expect(out).toContain('3000 shares')
})

test('a takeover that is killed leaves nothing that counts, and the next one completes it', async () => {
  const { root, database, state } = originalInstallation('filebrowser-v2.63')
  const main = path.resolve(import.meta.dirname, '../main.ts')
  const child = spawn(process.execPath, [main, 'takeover', '-d', database, '-r', root], { stdio: 'ignore' })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await expect.poll(() => readdirSync(state).length, { interval: 1 }).toBeGreaterThan(1)
  child.kill('SIGKILL')
  await ended
  const own = `${database}.stowage`
  const usersInOwn = existsSync(own) ? await recordsOf(own, ({ users }) => users.list()) : null
  expect([undefined, 12]).toContain(usersInOwn?.length)
  expect((await cli('users', 'ls', '-d', database, '-r', root)).out).toContain('newcomer')
  const names = readdirSync(state).filter((name) => name.includes('unfinished'))
  expect([existsSync(own), names]).toEqual([true, []])
})

test('two first starts at the same time leave one complete state', async () => {
  const { root, database, state } = originalInstallation('filebrowser-v2.63')
  const runs = await Promise.all([1, 2].map(() => cli('users', 'ls', '-d', database, '-r', root)))
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  expect(readdirSync(state).filter((name) => !/^filebrowser\.db(\.stowage)?$/.test(name))).toEqual([])
})

test('the old database is not served when it lies in the served folder', async () => {
  const installation = originalInstallation('filebrowser-v2.63')
  const inside = path.join(installation.root, 'filebrowser.db')
  writeFileSync(inside, readFileSync(installation.database))
  const { logIn, get } = await startOn({ ...installation, database: inside })
  const headers = { 'x-auth': await logIn('carol', 'Carol sings 12 songs') }
  const statuses = await Promise.all(
    ['filebrowser.db', 'filebrowser.db.stowage'].map(
      async (name) => (await get(`/api/raw/${name}`, headers)).status,
    ),
  )
  expect(statuses).toEqual([403, 403])
})

test('nobody can upload another database in the place of the old one, also after it was removed', async () => {
  const installation = originalInstallation('filebrowser-v2.63')
  const inside = path.join(installation.root, 'filebrowser.db')
  writeFileSync(inside, readFileSync(installation.database))
  const upload = async ({ url, logIn }: Awaited<ReturnType<typeof startOn>>) => {
    const headers = { 'x-auth': await logIn('admin', 'correct-horse-battery-1') }
    const body = readFileSync(`${inside}.stowage`)
    return fetch(`${url}/api/resources/filebrowser.db`, { method: 'POST', headers, body })
  }
  const server = await startOn({ ...installation, database: inside })
  rmSync(inside)
  expect((await upload(server)).status).toBe(403)
  await server.close()
  expect((await upload(await startOn({ ...installation, database: inside }))).status).toBe(403)
  expect((await upload(await startOn({ ...installation, database: `${inside}.stowage` }))).status).toBe(403)
})
