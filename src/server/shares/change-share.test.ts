import { describe, expect, test } from 'vitest'
import { guestStatuses, requestAsGuest, share } from '../../../test/kit/share.ts'
import { startApp, type SignedInUser } from '../../../test/kit/start-app.ts'
import type { PublicResource, ShareResource } from '../../shared/contract/shares.ts'

const files = { docs: { 'a.txt': 'hello', sub: { 'b.txt': 'deep' } }, 'b.txt': 'bytes' }
const nowSeconds = (): number => Math.floor(Date.now() / 1000)
const change = (person: SignedInUser, hash: string, json: unknown) =>
  person.call('shares.update', { path: `/${hash}`, json })
const changed = async (person: SignedInUser, hash: string, json: unknown) => {
  const response = await change(person, hash, json)
  expect(response.status).toBe(200)
  return (await response.json()) as ShareResource
}

describe('changing a share', () => {
  test('sets the fields that are sent and keeps the others and the hash', async () => {
    const app = await startApp({ files })
    const made = await share(app, '/docs', { password: 'first', availableFrom: 5 })
    expect(await changed(app, made.hash, {})).toEqual(made)
    expect(await changed(app, made.hash, { password: null, expires: null, mode: null })).toEqual(made)
    const before = nowSeconds()
    const ending = await changed(app, made.hash, { expires: '2', unit: 'minutes' })
    expect(ending).toEqual({ ...made, expire: ending.expire })
    expect(ending.expire).toBeGreaterThanOrEqual(before + 120)
    expect(ending.expire).toBeLessThanOrEqual(nowSeconds() + 120)
    const other = await changed(app, made.hash, { mode: 'view-only', availableFrom: 7 })
    expect(other).toEqual({ ...ending, mode: 'view-only', availableFrom: 7 })
    const open = await changed(app, made.hash, { password: '', expires: 0, availableFrom: '' })
    expect(open).toEqual({ ...other, hasPassword: false, expire: 0, availableFrom: 0 })
    expect(await (await app.call('shares.list')).json()).toEqual([open])
  })

  test('ends the token of the old password, and hides the share until its new start', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs', { password: 'first' })
    const shown = await requestAsGuest(app, 'share', hash, { password: 'first' })
    const query = `?token=${((await shown.json()) as PublicResource).token}`
    const status = async (options: object) => (await requestAsGuest(app, 'share', hash, options)).status
    expect(await status({ query })).toBe(200)
    await changed(app, hash, { password: 'second' })
    expect(await Promise.all([{ query }, { password: 'first' }, { password: 'second' }].map(status))).toEqual(
      [401, 401, 200],
    )
    await changed(app, hash, { password: '', availableFrom: nowSeconds() + 3600 })
    expect(await guestStatuses(app, hash)).toEqual([404, 404])
    await changed(app, hash, { availableFrom: 0 })
    expect(await guestStatuses(app, hash)).toEqual([200, 200])
  })

  test('ends the token of a share that was imported', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs', { password: 'first' })
    await app.records.shares.update(hash, { tokenDigest: 'digest of a token' })
    await changed(app, hash, { expires: 1 })
    expect((await app.records.shares.find(hash))?.tokenDigest).toBe('digest of a token')
    await changed(app, hash, { password: 'second' })
    expect((await app.records.shares.find(hash))?.tokenDigest).toBe(null)
  })

  test('is for its owner and administrators, and is refused for unknown shares', async () => {
    const app = await startApp({ files, users: { bea: {}, ada: { perm: { admin: true } } } })
    const [bea, ada] = [await app.signIn('bea'), await app.signIn('ada')]
    const made = await share(app, '/docs')
    const json = { mode: 'view-only' }
    expect((await change(bea, made.hash, json)).status).toBe(403)
    expect((await change(app, 'unknown', json)).status).toBe(404)
    expect((await change(app, `${made.hash}/a.txt`, json)).status).toBe(404)
    expect(await (await app.call('shares.list')).json()).toEqual([made])
    expect(await changed(ada, made.hash, json)).toEqual({ ...made, mode: 'view-only' })
  })

  test.each([
    ['a body that is no object', []],
    ['a negative duration', { expires: '-1' }],
    ['an unknown unit', { expires: '1', unit: 'weeks' }],
    ['a start that is no date', { availableFrom: 'tomorrow' }],
    ['an unknown mode', { mode: 'everything' }],
    ['a sender with a control character', { senderName: 'Anna\u0007' }],
  ])('is refused for %s', async (_case, json) => {
    const app = await startApp({ files })
    const made = await share(app, '/docs')
    expect((await change(app, made.hash, json)).status).toBe(400)
    expect(await (await app.call('shares.list')).json()).toEqual([made])
  })
})

test('a name of 60 characters is shown to guests', async () => {
  const app = await startApp({ files })
  const longest = `Ä ${'🌾'.repeat(58)}`
  const { hash } = await share(app, '/docs', { senderName: longest })
  const shown = await requestAsGuest(app, 'share', hash)
  expect(shown.headers.get('x-share-sender')).toBe(encodeURIComponent(longest))
  expect((await change(app, hash, { senderName: `${longest}🌾` })).status).toBe(400)
})

test('guests see as the sender what the owner has typed, as plain text and on links of each mode, and nobody otherwise', async () => {
  const app = await startApp({ files })
  const made = await share(app, '/docs')
  expect(made).not.toHaveProperty('senderName')
  const senderAt = async (rest = ''): Promise<string | null> =>
    (await requestAsGuest(app, 'share', `${made.hash}${rest}`)).headers.get('x-share-sender')
  expect(await senderAt()).toBe(null)
  const markup = '<b>Anna</b> & "Þór"\\'
  expect(await changed(app, made.hash, { senderName: ` ${markup} ` })).toMatchObject({
    ...made,
    senderName: markup,
  })
  // A client that does not know the field leaves the name as it is.
  expect(await changed(app, made.hash, { expires: 0, senderName: null })).toMatchObject({
    senderName: markup,
  })
  for (const rest of ['', '/sub', '/a.txt'])
    expect(decodeURIComponent((await senderAt(rest)) ?? '')).toBe(markup)
  for (const mode of ['view-only', 'upload-only']) {
    await changed(app, made.hash, { mode })
    expect(decodeURIComponent((await senderAt()) ?? '')).toBe(markup)
  }
  const unnamed = await changed(app, made.hash, { senderName: '', mode: 'download' })
  expect(unnamed).toMatchObject({ ...made })
  expect(unnamed).not.toHaveProperty('senderName')
  expect(await senderAt()).toBe(null)
})

test('a guest without the password learns no sender', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/docs', { senderName: 'Anna', password: 'first' })
  const refused = await requestAsGuest(app, 'share', hash, { password: 'other' })
  expect([refused.status, refused.headers.get('x-share-sender')]).toEqual([401, null])
  const shown = await requestAsGuest(app, 'share', hash, { password: 'first' })
  expect(shown.headers.get('x-share-sender')).toBe('Anna')
})

test('a share for viewing only shows everything and sends files only inline, and no archives', async () => {
  const app = await startApp({ files })
  const { hash, mode } = await share(app, '/docs', { mode: 'view-only' })
  expect(mode).toBe('view-only')
  const shown = (await (await requestAsGuest(app, 'share', hash)).json()) as PublicResource
  expect(shown).toMatchObject({ shareMode: 'view-only', numFiles: 1, numDirs: 1 })
  const download = (rest: string, query: string) => requestAsGuest(app, 'dl', `${hash}${rest}`, { query })
  for (const [rest, query] of [
    ['', ''],
    ['', '?inline=true'],
    ['/sub', '?inline=true&algo=tar'],
    ['/a.txt', ''],
    ['/a.txt', '?inline=false'],
  ] as const)
    expect([rest, query, (await download(rest, query)).status]).toEqual([rest, query, 403])
  const inline = await download('/a.txt', '?inline=true')
  expect(await inline.text()).toBe('hello')
  expect(inline.headers.get('content-disposition')).toMatch(/^inline/)
  const alone = { query: '?inline=true', headers: { 'sec-fetch-dest': 'document' } }
  expect((await requestAsGuest(app, 'dl', `${hash}/a.txt`, alone)).status).toBe(403)
  await changed(app, hash, { mode: 'download' })
  expect((await requestAsGuest(app, 'dl', `${hash}/a.txt`, alone)).status).toBe(200)
  expect((await download('/a.txt', '')).status).toBe(200)
  expect(await (await requestAsGuest(app, 'share', hash)).json()).not.toHaveProperty('shareMode')
})

test('a shared file for viewing only is sent inline only', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/b.txt', { mode: 'view-only' })
  expect(await guestStatuses(app, hash)).toEqual([200, 403])
  expect((await requestAsGuest(app, 'dl', hash, { query: '?inline=true' })).status).toBe(200)
})
