import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { shareFields } from '../../../test/kit/records.ts'
import { share, guestStatuses } from '../../../test/kit/share.ts'
import { startApp, type SignedInUser } from '../../../test/kit/start-app.ts'
import type { ShareResource } from '../../shared/contract/shares.ts'
import type { Path } from '../../shared/domain/path.ts'
import { sharesPerUser } from '../records/shares.ts'

const files = {
  docs: { 'a.txt': 'hello', '.hidden': 'dots' },
  'b.txt': 'bytes',
  away: { link: '/etc/hostname' },
}
const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const listOf = async (reply: Response) => (await reply.json()) as ShareResource[]
const create = (person: SignedInUser, requested: string, json: unknown = {}) =>
  person.call('shares.create', { path: requested, json })

describe('sharing', () => {
  test('answers the share without password hash and token (T13)', async () => {
    const app = await startApp({ files })
    const made = await share(app, '/docs', { password: 'pw' })
    expect(made).toEqual({
      hash: expect.stringMatching(/^[A-Za-z0-9_-]{22}$/),
      path: '/docs/',
      userID: app.user.id,
      expire: 0,
      availableFrom: 0,
      hasPassword: true,
      mode: 'download',
    })
    const [kept] = await app.records.shares.list()
    expect(kept?.passwordHash).toMatch(/^\$argon2id\$/)
    const lists = await Promise.all([app.call('shares.list'), app.call('shares.get', { path: '/docs' })])
    for (const reply of lists) expect(await reply.json()).toEqual([made])
  })

  test('is refused beyond the number of links of a user', async () => {
    const app = await startApp({ files })
    const share = { userId: app.user.id, path: '/docs' as Path }
    await app.records.shares.addAll(
      Array.from({ length: sharesPerUser - 1 }, (_, n) => shareFields({ ...share, hash: `hash ${n}` })),
    )
    expect((await create(app, '/b.txt')).status).toBe(200)
    const refused = await create(app, '/b.txt')
    expect([refused.status, refused.headers.get('x-error')]).toEqual([507, 'no-space'])
    expect(await refused.text()).toContain('nobody may have more than 10000 links')
  })

  test.each([100, 101, 250])('lists %i links completely and in order', async (count) => {
    const app = await startApp({ files, users: { ada: { perm: { admin: true } } } })
    const ada = await app.signIn('ada')
    await app.records.shares.addAll(
      Array.from({ length: count }, (_, n) =>
        shareFields({
          userId: app.user.id,
          hash: `hash ${n}`,
          path: '/docs' as Path,
          createdAtMs: count - n,
        }),
      ),
    )
    const hashes = Array.from({ length: count }, (_, n) => `hash ${count - 1 - n}`)
    for (const person of [app, ada])
      for (const reply of [
        await person.call('shares.list'),
        await person.call('shares.get', { path: '/docs' }),
      ]) {
        expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
        expect((await listOf(reply)).map(({ hash }) => hash)).toEqual(hashes)
      }
  })

  test.each([
    ['a text in minutes', { expires: '2', unit: 'minutes' }, {}, 120],
    ['a number in days', { expires: 2, unit: 'days' }, {}, 172_800],
    ['hours without a unit', { expires: '3' }, {}, 10_800],
    ['the query, as a fallback', {}, { expires: '5', unit: 'seconds' }, 5],
    ['the body before the query', { expires: '1', unit: 'days' }, { expires: '5', unit: 'seconds' }, 86_400],
  ])('takes the duration from %s', async (_case, json, query, seconds) => {
    const app = await startApp({ files })
    const before = nowSeconds()
    const reply = await app.call('shares.create', { path: '/b.txt', json, query })
    const { expire } = (await reply.json()) as ShareResource
    expect(expire).toBeGreaterThanOrEqual(before + seconds)
    expect(expire).toBeLessThanOrEqual(nowSeconds() + seconds)
  })

  test('treats null like a missing field', async () => {
    const app = await startApp({ files })
    const json = { password: null, expires: null, unit: null, availableFrom: null }
    const made = await share(app, '/b.txt', json)
    expect(made).toMatchObject({ expire: 0, availableFrom: 0, hasPassword: false })
    const before = nowSeconds()
    const query = { expires: '1', unit: 'days' }
    const reply = await app.call('shares.create', { path: '/b.txt', json, query })
    expect(((await reply.json()) as ShareResource).expire).toBeGreaterThanOrEqual(before + 86_400)
    expect(await guestStatuses(app, made.hash)).toEqual([200, 200])
  })

  test.each([{}, { expires: '' }, { expires: '0' }, { expires: 0, unit: 'days' }])(
    'is permanent with %j (A9)',
    async (json) => {
      const app = await startApp({ files })
      expect((await share(app, '/b.txt', json)).expire).toBe(0)
    },
  )

  test.each([
    ['a body that is no object', []],
    ['a duration that is no number', { expires: 'soon' }],
    ['a negative duration', { expires: '-1' }],
    ['a fractional duration', { expires: 1.5 }],
    ["a duration above the form's maximum", { expires: '2147483648' }],
    ['an unknown unit', { expires: '1', unit: 'weeks' }],
    ['a unit of the prototype', { expires: '1', unit: 'constructor' }],
    ['a password that is no text', { password: 1 }],
    ['a start that is no date', { availableFrom: 'tomorrow' }],
    ['a sender that is no text', { senderName: 1 }],
    ['a sender with a line break', { senderName: 'Anna\nBank' }],
    ['a sender that turns the direction', { senderName: 'Anna \u202Eknab' }],
    ['a sender that is too long', { senderName: 'a'.repeat(61) }],
  ])('is refused for %s', async (_case, json) => {
    const app = await startApp({ files })
    expect((await create(app, '/b.txt', json)).status).toBe(400)
    expect(await app.records.shares.list()).toEqual([])
  })

  test('is refused without a body', async () => {
    const app = await startApp({ files })
    expect((await app.call('shares.create', { path: '/b.txt' })).status).toBe(400)
  })

  test('may start later; until then only its owner finds it', async () => {
    const app = await startApp({ files })
    const later = nowSeconds() + 3600
    const scheduled = await share(app, '/b.txt', { availableFrom: new Date(later * 1000).toISOString() })
    expect(scheduled.availableFrom).toBe(later)
    expect(await guestStatuses(app, scheduled.hash)).toEqual([404, 404])
    expect(await listOf(await app.call('shares.list'))).toEqual([scheduled])
    const begun = await share(app, '/b.txt', { availableFrom: nowSeconds() - 1 })
    expect(await guestStatuses(app, begun.hash)).toEqual([200, 200])
  })

  test.each([
    ['a missing entry', '/nothing', 404],
    ['an entry that a rule denies', '/docs/a.txt', 403],
    ['a missing entry below a denied one', '/docs/a.txt/x', 403],
    ['an entry that the dotfile preference hides', '/docs/.hidden', 403],
    ['a link that leads outside', '/away', 403],
    ['a link that leads inside', '/inside', 400],
    ['a pipe', '/pipe', 400],
  ])('of %s is refused', async (_case, requested, status) => {
    const rules = [{ regex: false, allow: false, path: '/docs/a.txt', regexp: null }]
    const app = await startApp({
      files: { ...files, inside: { link: 'b.txt' } },
      user: { rules, hideDotfiles: true },
    })
    execFileSync('mkfifo', [path.join(app.disk, 'pipe')])
    expect((await create(app, requested)).status).toBe(status)
    expect(await app.records.shares.list()).toEqual([])
  })

  test('of a denied entry cannot be listed either', async () => {
    const rules = [{ regex: false, allow: false, path: '/docs', regexp: null }]
    const app = await startApp({ files, user: { rules } })
    const status = async (requested: string) => (await app.call('shares.get', { path: requested })).status
    expect([await status('/docs'), await status('/docs/nothing'), await status('/nothing')]).toEqual([
      403, 403, 200,
    ])
  })
})

const threePeople = async () => {
  const app = await startApp({
    files: { ann: files, bea: files },
    user: { scope: 'ann' },
    users: { bea: { scope: '/bea/' }, ada: { perm: { admin: true } } },
  })
  const [bea, ada] = [await app.signIn('bea'), await app.signIn('ada')]
  return { app, bea, ada }
}

describe('the lists', () => {
  test('are sorted by owner, then expiry; users see their own shares, administrators all', async () => {
    const { app, bea, ada } = await threePeople()
    const ofBea = await share(bea, '/b.txt')
    const late = await share(app, '/docs', { expires: '2', unit: 'days' })
    const early = await share(app, '/docs/a.txt', { expires: '1', unit: 'days' })
    const permanent = await share(app, '/b.txt')
    expect(await listOf(await app.call('shares.list'))).toEqual([permanent, early, late])
    expect(await listOf(await bea.call('shares.list'))).toEqual([ofBea])
    expect(await listOf(await ada.call('shares.list'))).toEqual([permanent, early, late, ofBea])
    const ofAda = await share(ada, '/bea/b.txt')
    expect(await listOf(await ada.call('shares.list', { query: { own: 'true' } }))).toEqual([ofAda])
    expect(await listOf(await bea.call('shares.list', { query: { own: 'true' } }))).toEqual([ofBea])
  })

  test('of a path do not depend on its spelling; an administrator lists them by the path on the volume', async () => {
    const { app, bea, ada } = await threePeople()
    const made = await share(app, '/docs')
    await share(app, '/docs/a.txt')
    await share(bea, '/docs')
    for (const requested of ['/docs', '/docs/'])
      expect(await listOf(await app.call('shares.get', { path: requested }))).toEqual([made])
    expect(await listOf(await ada.call('shares.get', { path: '/ann/docs' }))).toEqual([made])
    expect(await listOf(await bea.call('shares.get', { path: '/b.txt' }))).toEqual([])
  })

  test('leave out expired shares (T15)', async () => {
    const { app } = await threePeople()
    const kept = await share(app, '/b.txt')
    for (const n of [1, 2, 3]) {
      const { hash } = await share(app, '/docs')
      const found = await app.records.shares.find(hash)
      if (found === null) throw new Error('not kept')
      await app.records.shares.remove(hash)
      await app.records.shares.add({ ...found, expiresAtSeconds: n })
    }
    expect(await listOf(await app.call('shares.list'))).toEqual([kept])
    expect(await listOf(await app.call('shares.get', { path: '/docs' }))).toEqual([])
  })
})

const end = async (person: SignedInUser, hash: string) =>
  (await person.call('shares.remove', { path: `/${hash}` })).status

describe('ending a share', () => {
  test("is for its owner and administrators; another's is 403, an unknown one 404 (T13)", async () => {
    const app = await startApp({ files, users: { bea: {}, ada: { perm: { admin: true } } } })
    const [bea, ada] = [await app.signIn('bea'), await app.signIn('ada')]
    const made = [await share(app, '/docs'), await share(app, '/docs')]
    expect(await end(bea, made[0]?.hash ?? '')).toBe(403)
    expect(await end(bea, 'unknown')).toBe(404)
    expect(await end(app, `${made[0]?.hash}/a.txt`)).toBe(404)
    expect(await app.rawStatus('DELETE', '/api/share/')).toBe(400)
    expect(await app.records.shares.list()).toHaveLength(2)
    expect(await end(app, made[0]?.hash ?? '')).toBe(200)
    expect(await end(app, made[0]?.hash ?? '')).toBe(404)
    expect(await end(ada, made[1]?.hash ?? '')).toBe(200)
    expect(await app.records.shares.list()).toEqual([])
  })

  test('invalidates its link', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs')
    await app.call('shares.remove', { path: `/${hash}` })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([404, 404])
  })
})

test.each(['share', 'download'] as const)(
  'without the permission %s every call for shares is refused, for administrators too',
  async (right) => {
    const perm = { admin: true, [right]: false }
    const app = await startApp({ files, user: { perm } })
    const replies = await Promise.all([
      app.call('shares.list'),
      app.call('shares.get', { path: '/docs' }),
      create(app, '/docs'),
      app.call('shares.update', { path: '/unknown', json: {} }),
      app.call('shares.remove', { path: '/unknown' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
  },
)

test('shares require a session', async () => {
  const app = await startApp({ files })
  const requested = [
    ['GET', '/api/shares'],
    ['GET', '/api/share/docs'],
    ['POST', '/api/share/docs'],
    ['PATCH', '/api/share/unknown'],
    ['DELETE', '/api/share/unknown'],
  ] as const
  for (const [method, address] of requested)
    expect((await app.fetch(address, { method, token: null })).status).toBe(401)
})
