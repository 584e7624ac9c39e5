import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { bcryptHash } from '../../../../test/kit/bcrypt-hash.ts'
import { createClock, testRecords, userFields } from '../../../../test/kit/records.ts'
import { sharedPasswordThreads } from '../../../../test/kit/shared-threads.ts'
import { createPasswords } from '../passwords.ts'
import { createSharedCounts } from '../shared-counts.ts'
import { createThrottle } from '../throttle.ts'
import { loginByPassword, findByCredentials } from './login-by-password.ts'
import { loginWithoutPassword } from './login-without-password.ts'

const rest = {
  challenge: '',
  client: { address: '192.0.2.1', isProxy: false },
  header: () => undefined,
  headerValues: () => [],
  plainPort: null,
}

async function world() {
  const clock = createClock()
  const { users, throttles } = await testRecords(clock)
  const passwords = createPasswords({ randomBytes, threads: sharedPasswordThreads() })
  const { nowMs } = clock
  const throttle = createThrottle({ counts: createSharedCounts({ throttles, nowMs }), nowMs })
  await users.add(userFields({ username: 'ann', passwordHash: await passwords.hash("ann's password") }))
  const login = loginByPassword({ users, passwords, throttle, captcha: async () => true })
  const owner = (username: string, password: string) =>
    findByCredentials({ users, passwords }, username, password)
  return {
    users,
    owner,
    login: (username: string, password: string) => login({ username, password, ...rest }),
  }
}

test('the right name and password return the user as stored', async () => {
  const { users, login } = await world()
  expect(await login('ann', "ann's password")).toEqual(await users.find(1))
})

test.each([
  ['a wrong password', 'ann', 'wrong'],
  ['an unknown name', 'zed', "ann's password"],
  ['a name with a space', 'ann ', "ann's password"],
  ['no password', 'ann', ''],
  ['no name', '', "ann's password"],
  ['neither', '', ''],
  ['NUL in the name', 'ann\0', "ann's password"],
  ['a password that is too long', 'ann', 'x'.repeat(2000)],
])('a login with %s fails', async (_case, username, password) => {
  const { login } = await world()
  await expect(login(username, password)).rejects.toMatchObject({ code: 'login-failed', reason: undefined })
})

/**
 * Runs each work five times and returns the smallest processor time of each, in milliseconds. Other load on the machine
 * does not change it, whereas it changes durations.
 */
async function processorTimesOf(works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const smallest = works.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < 5; round += 1)
    for (const [index, work] of works.entries()) {
      const from = process.cpuUsage()
      expect(await work()).toBe(null)
      const { user, system } = process.cpuUsage(from)
      smallest[index] = Math.min(smallest[index]!, (user + system) / 1000)
    }
  return smallest
}

test('the time taken does not reveal which names exist, also when a bcrypt hash was taken over', async () => {
  const { users, owner } = await world()
  await users.add(userFields({ username: 'old', passwordHash: bcryptHash('a password', { cost: 11 }) }))
  const times = await processorTimesOf(['ann', 'old', 'nobody'].map((name) => () => owner(name, 'wrong')))
  expect(Math.max(...times) / Math.min(...times)).toBeLessThan(2)
})

test('a disabled user cannot log in with the right password', async () => {
  const { users, login } = await world()
  await users.update(1, { isDisabled: true })
  await expect(login('ann', "ann's password")).rejects.toMatchObject({ code: 'login-failed' })
})

test('an attempt with neither name nor password does not count', async () => {
  const { login } = await world()
  for (let n = 0; n < 30; n += 1) await login('', '').catch(() => {})
  expect((await login('ann', "ann's password")).id).toBe(1)
})

test('too many failures are answered differently from a wrong password', async () => {
  const { login } = await world()
  for (let n = 0; n < 5; n += 1) await login('ann', 'wrong').catch(() => {})
  await expect(login('ann', "ann's password")).rejects.toMatchObject({
    code: 'too-many-tries',
    retryAfterSeconds: 60,
  })
})

test('a taken-over hash is replaced at login, without marking the user as changed', async () => {
  const { users, login } = await world()
  await users.add(
    userFields({
      username: 'old',
      passwordHash: bcryptHash('an old password', { version: '2a' }),
    }),
  )
  const user = await login('old', 'an old password')
  expect([user.passwordHash.startsWith('$argon2id$'), user.changedAtMs, await users.find(2)]).toEqual([
    true,
    null,
    user,
  ])
  expect((await login('old', 'an old password')).id).toBe(2)
})

test('without a login method everybody is the first user', async () => {
  const { users } = await world()
  const login = loginWithoutPassword({ users, trustedOrigins: [] })
  expect((await login({ username: 'zed', password: '', ...rest })).username).toBe('ann')
  await users.update(1, { isDisabled: true })
  await expect(login({ username: '', password: '', ...rest })).rejects.toMatchObject({ code: 'login-failed' })
})
