import { startApp, type App, type AppOptions } from '../kit/start-app.ts'
import type { LimitTestCase } from './limit.ts'

const elsewhere = { 'x-forwarded-for': '192.0.2.7' }

/**
 * Sends a login request that appears to come from the given address. The test is configured as a trusted proxy, so the
 * server accepts the address.
 */
const tries = (app: App, username: string, more: { readonly right?: boolean; readonly from?: string } = {}) =>
  app
    .fetch('/api/login', {
      method: 'POST',
      token: null,
      headers: more.from === undefined ? elsewhere : { 'x-forwarded-for': more.from },
      body: JSON.stringify({ username, password: more.right === true ? app.password : 'not the password' }),
    })
    .then((reply) => [reply.status, reply.headers.has('retry-after')] as const)

/**
 * Returns the responses to the right password after `count` wrong passwords, from the same address and from another
 * address.
 */
async function afterWrong(count: number): Promise<unknown> {
  const app = await startApp()
  for (let n = 0; n < count; n += 1) await tries(app, 'ann')
  const here = await tries(app, 'ann', { right: true })
  return [...here, (await tries(app, 'ann', { right: true, from: '192.0.2.8' }))[0]]
}

/** Returns the response to a login with another username after `count` failed logins from one address. */
async function afterNames(count: number): Promise<unknown> {
  const app = await startApp()
  for (let n = 0; n < count; n += 1) await tries(app, `name ${n}`, { from: `2001:db8::${n + 1}` })
  const [here] = await tries(app, 'ann', { right: true, from: '2001:db8::ffff' })
  const [neighbour] = await tries(app, 'ann', { right: true, from: '2001:db8:0:1::1' })
  return [here, neighbour]
}

/**
 * Returns the responses to uploads of the given size, with and without a Content-Length. The user has a quota of ten
 * bytes, of which `heldBytes` are used.
 */
async function storedOver(heldBytes: number, sizeBytes: number): Promise<unknown> {
  const body = 'x'.repeat(sizeBytes)
  const upload = async (more: object): Promise<number> => {
    const app = await startApp({ files: { 'a.txt': 'x'.repeat(heldBytes) }, user: { quotaBytes: 10 } })
    return (await app.fetch('/api/resources/b.txt', { method: 'POST', body, ...more })).status
  }
  return [await upload({}), await upload({ body: new Blob([body]).stream(), duplex: 'half' })]
}

async function signups(count: number): Promise<unknown> {
  const app = await startApp({ settings: { signup: true } })
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) {
    const body = JSON.stringify({ username: `new ${n}`, password: 'a horse of another colour' })
    const reply = await app.fetch('/api/signup', { method: 'POST', token: null, headers: elsewhere, body })
    statuses.push(reply.status)
  }
  return [statuses.filter((status) => status === 200).length, statuses.at(-1)]
}

/** Returns whether the first session is alive after `count` logins. */
async function firstOf(count: number): Promise<number> {
  const app = await startApp()
  for (let n = 1; n < count; n += 1) await app.signIn('ann')
  return (await app.fetch('/api/resources/')).status
}

async function shared(wish: AppOptions = {}): Promise<{ app: App; hash: string }> {
  const app = await startApp({ files: { 'a.txt': 'A' }, ...wish })
  const json = { password: 'for guests', expires: '', unit: 'hours' }
  const { hash } = (await (await app.call('shares.create', { path: '/a.txt', json })).json()) as {
    hash: string
  }
  return { app, hash }
}

async function afterWrongGuests(count: number): Promise<unknown> {
  const { app, hash } = await shared()
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

async function afterHashes(count: number): Promise<number> {
  const { app } = await shared()
  const visit = async (hash: string) =>
    (await app.fetch(`/api/public/share/${hash}`, { token: null, headers: elsewhere })).status
  for (let n = 0; n < count; n += 1) await visit(`unknown${n}`)
  return visit('unknown')
}

async function nameOf(bytes: number): Promise<number> {
  const app = await startApp({ settings: { signup: true } })
  const body = JSON.stringify({ username: 'x'.repeat(bytes), password: 'a horse of another colour' })
  return (await app.fetch('/api/signup', { method: 'POST', token: null, body })).status
}

export const ofPeople: readonly LimitTestCase[] = [
  {
    limit: 'five logins of an account fail at an address in a minute; then the right password waits, there',
    below: () => afterWrong(4),
    beyond: () => afterWrong(5),
    says: [
      [200, false, 200],
      [429, true, 200],
    ],
  },
  {
    limit: 'twenty logins fail at an address in a minute; a household of IPv6 is one address',
    below: () => afterNames(19),
    beyond: () => afterNames(20),
    says: [
      [200, 200],
      [429, 200],
    ],
  },
  {
    limit: 'thirty strangers sign up from an address in an hour',
    below: () => signups(30),
    beyond: () => signups(31),
    says: [
      [30, 200],
      [30, 429],
    ],
  },
  {
    limit: 'a person has twenty sessions, and the one used least recently ends',
    constants: ['sessionsPerUser'],
    below: () => firstOf(20),
    beyond: () => firstOf(21),
    says: [200, 401],
  },
  {
    limit: 'five passwords of a share are wrong at an address in a minute',
    below: () => afterWrongGuests(4),
    beyond: () => afterWrongGuests(5),
    says: [
      [200, 200],
      [429, 200],
    ],
  },
  {
    limit: 'sixty unknown shares are asked for by an address in a minute',
    below: () => afterHashes(59),
    beyond: () => afterHashes(60),
    says: [404, 429],
  },
  {
    limit: 'the files of a person hold what the quota says, announced or not',
    below: () => storedOver(3, 7),
    beyond: () => storedOver(3, 8),
    says: [
      [200, 200],
      [507, 507],
    ],
  },
  {
    limit: 'the name of a person has 255 bytes, and is usable as a folder’s',
    constants: ['usernameBytes'],
    below: () => nameOf(255),
    beyond: () => nameOf(256),
    says: [200, 400],
  },
]
