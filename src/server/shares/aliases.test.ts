import { expect, test } from 'vitest'
import type { NewShare, ShareResource } from '../../shared/contract/shares.ts'
import { dropAsGuest, guestStatuses, requestAsGuest, share } from '../../../test/kit/share.ts'
import { startApp } from '../../../test/kit/start-app.ts'

const files = { docs: { 'a.txt': 'text' }, 'one.txt': '0123456789', inbox: {} }

test('an alias leads to the link beside its hash, whatever the case of its letters', async () => {
  const app = await startApp({ files })
  const { hash, alias } = await share(app, '/docs', { alias: ' Summer-Party ' })
  expect([alias, hash.length]).toEqual(['summer-party', 22])
  for (const address of [hash, 'summer-party', 'SUMMER-party']) {
    expect(await guestStatuses(app, `${address}/a.txt`)).toEqual([200, 200])
    expect(await guestStatuses(app, `${address}%2Fa.txt`)).toEqual([200, 200])
    expect(await guestStatuses(app, `${address}/b.txt`)).toEqual([404, 404])
  }
  // An alias is no way to manage a link.
  expect((await app.call('shares.remove', { path: '/summer-party' })).status).toBe(404)
  expect((await app.call('shares.update', { path: '/summer-party', json: {} })).status).toBe(404)
})

test('an alias works with a password, a token and previews, and for sending files', async () => {
  const app = await startApp({ files })
  await share(app, '/docs', { alias: 'with-password', password: 'pw' })
  const shown = await requestAsGuest(app, 'share', 'with-password', { password: 'pw' })
  const { token } = (await shown.json()) as { token: string }
  expect((await requestAsGuest(app, 'dl', 'with-password/a.txt', { query: `?token=${token}` })).status).toBe(
    200,
  )
  expect((await requestAsGuest(app, 'dl', 'with-password/a.txt')).status).toBe(401)
  const preview = await app.fetch('/api/public/preview/thumb/with-password/a.txt', { token: null })
  expect(preview.status).toBe(401)
  const drop = await share(app, '/inbox', { mode: 'upload-only', alias: 'send-it-here' })
  expect((await dropAsGuest(app, 'Send-It-Here/x.txt')).status).toBe(200)
  await expect
    .poll(async () => (await (await app.call('shares.received', { path: `/${drop.hash}` })).json()) as object)
    .toMatchObject({ total: 1 })
})

test('an alias is changed, removed and taken back by its link, and is never used again', async () => {
  const app = await startApp({ files })
  const first = await share(app, '/docs', { alias: 'first-address' })
  const change = async (terms: NewShare) =>
    (await app.call('shares.update', { path: `/${first.hash}`, json: terms })).status
  const works = async (alias: string) => (await guestStatuses(app, alias))[0] === 200
  expect(await change({ alias: 'second-address' })).toBe(200)
  expect([await works('first-address'), await works('second-address')]).toEqual([false, true])
  expect(await change({ mode: 'view-only' })).toBe(200)
  expect(await works('second-address')).toBe(true)
  expect(await change({ alias: '' })).toBe(200)
  expect(await works('second-address')).toBe(false)
  expect(await change({ alias: 'first-address' })).toBe(200)
  expect([await works('first-address'), await works(first.hash)]).toEqual([true, true])

  // Another link of the same user gets neither, before and after the end of the first one.
  const createStatus = async (alias: string) => {
    const response = await app.call('shares.create', { path: '/one.txt', json: { alias } })
    return [response.status, response.headers.get('x-refused')]
  }
  expect(await createStatus('First-Address')).toEqual([409, 'alias'])
  expect(await createStatus('second-address')).toEqual([409, 'alias'])
  expect((await app.call('shares.remove', { path: `/${first.hash}` })).status).toBe(200)
  expect(await works('first-address')).toBe(false)
  expect(await createStatus('first-address')).toEqual([409, 'alias'])
  const links = (await (await app.call('shares.list')).json()) as readonly ShareResource[]
  expect(links).toEqual([])
})

test("somebody else's alias is refused as a missing entry, and guesses are throttled like those of guests", async () => {
  const app = await startApp({ files, users: { bob: {} } })
  const bob = await app.signIn('bob')
  await share(app, '/docs', { alias: 'of-the-owner' })
  const guess = async (alias: string) => {
    const response = await bob.call('shares.create', { path: '/one.txt', json: { alias } })
    return response.status
  }
  expect(await guess('of-the-owner')).toBe(404)
  for (let tries = 1; tries < 60; tries += 1) await guess('of-the-owner')
  expect(await guess('of-the-owner')).toBe(429)
  // The guesses of guests with unknown aliases are counted together with these.
  expect((await requestAsGuest(app, 'share', 'nobody-has-this')).status).toBe(429)
  // A link without an alias is made as before.
  await share(bob, '/one.txt')
})

test('of two links that are given an alias at the same moment, one gets it', async () => {
  const app = await startApp({ files, users: { bob: {} } })
  const bob = await app.signIn('bob')
  const attempts = await Promise.all(
    [app, bob, app, bob].map(async (person) => {
      const response = await person.call('shares.create', {
        path: '/one.txt',
        json: { alias: 'at-the-same-time' },
      })
      return response.status
    }),
  )
  expect(attempts.filter((status) => status === 200)).toHaveLength(1)
  expect(attempts.every((status) => [200, 404, 409].includes(status))).toBe(true)
})

test.for([
  'summer26',
  'a'.repeat(22),
  'a'.repeat(41),
  'under_score',
  '-at-the-start',
  'with space',
  '../../../etc',
])('the alias %j is refused by its form', async (alias) => {
  const app = await startApp({ files })
  const response = await app.call('shares.create', { path: '/one.txt', json: { alias } })
  expect(response.status).toBe(400)
})
