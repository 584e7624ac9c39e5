import { startApp, type TestApp, type TestAppOptions } from '../kit/start-app.ts'
import { oneRun, type LimitTestCase } from './limit.ts'

const fromOtherAddress = { 'x-forwarded-for': '192.0.2.7' }

/**
 * Sends a login request that appears to come from the given address. The test is configured as a trusted proxy, so the
 * server accepts the address.
 */
const attemptLogin = (
  app: TestApp,
  username: string,
  options: { readonly isCorrect?: boolean; readonly from?: string } = {},
) =>
  app
    .fetch('/api/login', {
      method: 'POST',
      token: null,
      headers: options.from === undefined ? fromOtherAddress : { 'x-forwarded-for': options.from },
      body: JSON.stringify({
        username,
        password: options.isCorrect === true ? app.password : 'not the password',
      }),
    })
    .then((response) => [response.status, response.headers.has('retry-after')] as const)

/**
 * Sends `count` wrong passwords and then the right password, from the same address and from another address. Returns
 * the responses to the right password.
 */
async function loginAfterFailures(count: number): Promise<unknown> {
  const app = await startApp()
  for (let n = 0; n < count; n += 1) await attemptLogin(app, 'ann')
  const here = await attemptLogin(app, 'ann', { isCorrect: true })
  return [...here, (await attemptLogin(app, 'ann', { isCorrect: true, from: '192.0.2.8' }))[0]]
}

/** Returns the response to a login with another username after `count` failed logins from one address. */
async function loginAfterOtherNames(count: number): Promise<unknown> {
  const app = await startApp()
  for (let n = 0; n < count; n += 1) await attemptLogin(app, `name ${n}`, { from: `2001:db8::${n + 1}` })
  const [here] = await attemptLogin(app, 'ann', { isCorrect: true, from: '2001:db8::ffff' })
  const [neighbour] = await attemptLogin(app, 'ann', { isCorrect: true, from: '2001:db8:0:1::1' })
  return [here, neighbour]
}

/**
 * Returns the responses to uploads of the given size, with and without a Content-Length. The user has a quota of ten
 * bytes, of which `usedBytes` are used.
 */
async function uploadToQuota(usedBytes: number, sizeBytes: number): Promise<unknown> {
  const body = 'x'.repeat(sizeBytes)
  const upload = async (options: object): Promise<number> => {
    const app = await startApp({ files: { 'a.txt': 'x'.repeat(usedBytes) }, user: { quotaBytes: 10 } })
    return (await app.fetch('/api/resources/b.txt', { method: 'POST', body, ...options })).status
  }
  return [await upload({}), await upload({ body: new Blob([body]).stream(), duplex: 'half' })]
}

/** Signs 31 users up and returns the statuses. */
const signups = oneRun(async () => {
  const app = await startApp({ settings: { signup: true } })
  const statuses: number[] = []
  for (let n = 0; n < 31; n += 1) {
    const body = JSON.stringify({ username: `new ${n}`, password: 'a horse of another colour' })
    const response = await app.fetch('/api/signup', {
      method: 'POST',
      token: null,
      headers: fromOtherAddress,
      body,
    })
    statuses.push(response.status)
  }
  return statuses
})

const outcomeOfSignups = (statuses: readonly number[]): unknown => [
  statuses.filter((status) => status === 200).length,
  statuses.at(-1),
]

/** Logs in `count` times and then sends a request in the first session. Returns the status of the response. */
async function firstSessionStatus(count: number): Promise<number> {
  const app = await startApp()
  for (let n = 1; n < count; n += 1) await app.signIn('ann')
  return (await app.fetch('/api/resources/')).status
}

async function startWithShare(options: TestAppOptions = {}): Promise<{ app: TestApp; hash: string }> {
  const app = await startApp({ files: { 'a.txt': 'A' }, ...options })
  const json = { password: 'for guests', expires: '', unit: 'hours' }
  const { hash } = (await (await app.call('shares.create', { path: '/a.txt', json })).json()) as {
    hash: string
  }
  return { app, hash }
}

async function shareAfterWrongPasswords(count: number): Promise<unknown> {
  const { app, hash } = await startWithShare()
  const visit = async (password: string, from: string) =>
    (
      await app.fetch(`/api/public/share/${hash}`, {
        token: null,
        headers: { 'x-share-password': password, 'x-forwarded-for': from },
      })
    ).status
  for (let n = 0; n < count; n += 1) await visit('wrong', '192.0.2.7')
  return [await visit('for guests', '192.0.2.7'), await visit('for guests', '192.0.2.8')]
}

/** Requests 61 shares that do not exist, and returns the statuses. */
const unknownShares = oneRun(async () => {
  const { app } = await startWithShare()
  const visit = async (hash: string) =>
    (await app.fetch(`/api/public/share/${hash}`, { token: null, headers: fromOtherAddress })).status
  const statuses: number[] = []
  for (let n = 0; n < 61; n += 1) statuses.push(await visit(`unknown${n}`))
  return statuses
})

async function signUpWithName(bytes: number): Promise<number> {
  const app = await startApp({ settings: { signup: true } })
  const body = JSON.stringify({ username: 'x'.repeat(bytes), password: 'a horse of another colour' })
  return (await app.fetch('/api/signup', { method: 'POST', token: null, body })).status
}

export const userLimitTests: readonly LimitTestCase[] = [
  {
    limit: 'after five failed logins of an account from one address in a minute, that address must wait',
    below: () => loginAfterFailures(4),
    beyond: () => loginAfterFailures(5),
    expected: [
      [200, false, 200],
      [429, true, 200],
    ],
  },
  {
    limit: 'an address may fail twenty logins in a minute, and an IPv6 /64 network counts as one address',
    below: () => loginAfterOtherNames(19),
    beyond: () => loginAfterOtherNames(20),
    expected: [
      [200, 200],
      [429, 200],
    ],
  },
  {
    limit: 'thirty users may sign up from one address in an hour',
    below: async () => outcomeOfSignups((await signups()).slice(0, 30)),
    beyond: async () => outcomeOfSignups(await signups()),
    expected: [
      [30, 200],
      [30, 429],
    ],
  },
  {
    limit: 'a user has at most twenty sessions, and the least recently used session ends',
    limitNames: ['sessionsPerUser'],
    below: () => firstSessionStatus(20),
    beyond: () => firstSessionStatus(21),
    expected: [200, 401],
  },
  {
    limit: 'an address may send five wrong passwords of a share in a minute',
    below: () => shareAfterWrongPasswords(4),
    beyond: () => shareAfterWrongPasswords(5),
    expected: [
      [200, 200],
      [429, 200],
    ],
  },
  {
    limit: 'an address may request sixty unknown shares in a minute',
    below: async () => (await unknownShares())[59],
    beyond: async () => (await unknownShares())[60],
    expected: [404, 429],
  },
  {
    limit: 'the quota of a user applies to uploads with and without a Content-Length',
    below: () => uploadToQuota(3, 7),
    beyond: () => uploadToQuota(3, 8),
    expected: [
      [200, 200],
      [507, 507],
    ],
  },
  {
    limit: 'a username has at most 255 bytes, so that it can be the name of a folder',
    limitNames: ['usernameBytes'],
    below: () => signUpWithName(255),
    beyond: () => signUpWithName(256),
    expected: [200, 400],
  },
]
