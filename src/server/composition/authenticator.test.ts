import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { causeOf } from '../../../test/kit/change-cause.ts'
import { root } from '../../shared/domain/path.ts'
import { bareCallerFactory } from '../../../test/kit/bare-caller-factory.ts'
import { sessionDependenciesOf } from '../../../test/kit/login.ts'
import { createClock, userFields, afterExternalChange } from '../../../test/kit/records.ts'
import { sharedStorageThreads } from '../../../test/kit/shared-threads.ts'
import { temporaryFolder } from '../../../test/kit/temporary-folder.ts'
import { endSession, openSession } from '../auth/sessions.ts'
import type { RequestCredentials, AuthenticatedCaller } from '../http/authenticator.ts'
import { openRecords } from '../records/open-records.ts'
import { createPosixVolume } from '../storage/posix/volume.ts'
import { createAuthenticator } from './authenticator.ts'

const hourMs = 3_600_000
const cause = causeOf('resources.get')

/** Creates the user ann with a session, an authenticator, and a second process that uses the same database. */
async function createTestAuthenticator({ scope = '/' } = {}) {
  const clock = createClock()
  const opening = { database: path.join(temporaryFolder(), 'stowage.db'), nowMs: clock.nowMs }
  const [records, other] = [await openRecords(opening), await openRecords(opening)]
  onTestFinished(() => records.close())
  onTestFinished(() => other.close())
  const folder = temporaryFolder()
  const volume = createPosixVolume({ root: folder, pool: sharedStorageThreads() })
  onTestFinished(() => volume.close())
  const { users } = records
  const login = sessionDependenciesOf(records, clock)
  const globalRules = async () => (await records.settings.get()).rules
  const callerFactory = bareCallerFactory({ volume, globalRules, nowMs: clock.nowMs })
  const authenticator = createAuthenticator({ login, callerFactory, records })
  const ann = await users.add(userFields({ username: 'ann', scope }))
  const { token, cookie, session } = await openSession(login, ann, { address: '', agent: '' })
  const ask = (credentials: Partial<RequestCredentials> = { header: token }) =>
    authenticator.recognise(
      {
        header: undefined,
        cookies: [],
        query: undefined,
        target: { kind: 'resources', path: root },
        use: 'once',
        acceptsCookie: true,
        proxyHeaderValues: () => [],
        ...credentials,
      },
      cause,
    )
  return { clock, records, other, login, folder, ann, session, token, cookie, ask }
}

const isSynchronous = (response: unknown): boolean => !(response instanceof Promise)

test('a second request with the same token is recognised synchronously, and gets a separate caller', async () => {
  const { ask, session } = await createTestAuthenticator()
  const first = ask()
  expect([isSynchronous(first), (await first)?.caller.session.id]).toEqual([false, session.id])
  const [second, third] = [ask(), ask()] as AuthenticatedCaller[]
  expect([isSynchronous(second), second?.caller.session.id]).toEqual([true, session.id])
  expect(third?.caller).not.toBe(second?.caller)
})

test('credentials without a valid token are checked at each request', async () => {
  const { ask, cookie } = await createTestAuthenticator()
  for (const credentials of [{ cookies: [cookie] }, { header: 'a.wrong.token' }, {}, { cookies: [cookie] }]) {
    const response = ask({ header: undefined, ...credentials })
    expect([isSynchronous(response), (await response) !== null]).toEqual([false, 'cookies' in credentials])
  }
})

test.each(['null', '', 'a.b', 'x'])(
  'a header that is not a token is refused, even with a valid token in the URL: %j',
  async (header) => {
    const { ask, token, session } = await createTestAuthenticator()
    expect((await ask({ header, query: token }))?.caller.session.id).toBe(session.id)
    expect(await ask({ header })).toBe(null)
    expect((await ask({ header, query: token }))?.caller.session.id).toBe(session.id)
  },
)

test('an ended session is refused at the next request, whichever process ended it', async () => {
  for (const by of ['server', 'other'] as const) {
    const { ask, session, login, other } = await createTestAuthenticator()
    await ask()
    expect(isSynchronous(ask())).toBe(true)
    if (by === 'server') await endSession(login, session.id)
    else await afterExternalChange(other.sessions.end(session.id))
    expect(await ask()).toBe(null)
  }
})

test('a revoked permission, a new rule and a disabled account take effect at the next request', async () => {
  const { ask, ann, other } = await createTestAuthenticator()
  expect((await ask())?.caller.may('download')).toBe(true)
  await afterExternalChange(other.users.update(ann.id, { perm: { ...ann.perm, download: false } }))
  expect((await ask())?.caller.may('download')).toBe(false)
  await expect((await ask())?.caller.storage.stat(root)).resolves.toBeDefined()
  const rule = { regex: false, allow: false, path: '/', regexp: { raw: '' } }
  await afterExternalChange(other.settings.change({ rules: [rule] }))
  await expect((await ask())?.caller.storage.stat(root)).rejects.toMatchObject({ code: 'forbidden' })
  await afterExternalChange(other.users.update(ann.id, { isDisabled: true }))
  expect(await ask()).toBe(null)
})

test('the time of each request is recorded, a renewal is requested when it is due, and an old session ends', async () => {
  const { ask, clock, session, records } = await createTestAuthenticator()
  await ask()
  clock.advance(900)
  expect(isSynchronous(ask())).toBe(true)
  clock.advance(60_000)
  expect(isSynchronous(ask())).toBe(false)
  await ask()
  const [seen] = await records.sessions.listOf(session.userId)
  expect(seen?.seenAtMs).toBe(clock.nowMs())
  clock.advance(hourMs - 61_900)
  expect((await ask())?.shouldRenew).toBe(false)
  clock.advance(2000)
  expect((await ask())?.shouldRenew).toBe(true)
  clock.advance(hourMs)
  expect(await ask()).toBe(null)
})

test('a missing scope is checked again at the next request', async () => {
  const { ask, folder } = await createTestAuthenticator({ scope: '/ann' })
  const isThere = async () =>
    (await ask())!.caller.storage.stat(root).then(
      () => true,
      () => false,
    )
  expect([await isThere(), await isThere()]).toEqual([false, false])
  mkdirSync(path.join(folder, 'ann'))
  expect([await isThere(), await isThere()]).toEqual([true, true])
})
