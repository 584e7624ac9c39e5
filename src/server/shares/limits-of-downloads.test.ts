import { expect, test } from 'vitest'
import type { ShareResource } from '../../shared/contract/shares.ts'
import { requestAsGuest, share } from '../../../test/kit/share.ts'
import { startApp, type SignedInUser, type TestApp } from '../../../test/kit/start-app.ts'

const files = { docs: { 'a.txt': '0123456789', 'b.txt': 'other' }, 'one.txt': '0123456789' }

type DownloadOptions = { readonly range?: string; readonly headers?: Record<string, string> }

const download = async (app: TestApp, rest: string, { range, headers = {} }: DownloadOptions = {}) => {
  const response = await requestAsGuest(app, 'dl', rest, {
    headers: { ...headers, ...(range !== undefined && { range }) },
  })
  await response.arrayBuffer()
  return response
}
const statusOf = async (app: TestApp, rest: string, options?: DownloadOptions) =>
  (await download(app, rest, options)).status

/** Returns the counts that a person reads in the list of links: zeros for a link that is not in the list. */
const countsOf = async (person: Pick<SignedInUser, 'call'>, hash: string) => {
  const list = (await (await person.call('shares.list')).json()) as readonly ShareResource[]
  const { visits = 0, downloads = 0 } = list.find((link) => link.hash === hash) ?? {}
  return { visits, downloads }
}

test('a link allows a number of downloads, and then refuses them without ending', async () => {
  const app = await startApp({ files })
  const link = await share(app, '/one.txt', { maxDownloads: 2 })
  expect(link.maxDownloads).toBe(2)
  const left = async () =>
    (await requestAsGuest(app, 'share', link.hash)).headers.get('x-share-downloads-left')
  expect(await left()).toBe('2')
  expect([await statusOf(app, link.hash), await statusOf(app, link.hash)]).toEqual([200, 200])
  expect(await left()).toBe('0')
  const refused = await download(app, link.hash)
  expect([refused.status, refused.headers.get('x-refused')]).toEqual([403, 'downloads'])
  const head = await app.fetch(`/api/public/dl/${link.hash}`, { method: 'HEAD', token: null })
  expect([head.status, head.headers.get('x-refused')]).toEqual([403, 'downloads'])
  expect((await countsOf(app, link.hash)).downloads).toBe(2)

  // The owner allows more, and then any number.
  const change = (maxDownloads: number) =>
    app.call('shares.update', { path: `/${link.hash}`, json: { maxDownloads } })
  expect((await change(3)).status).toBe(200)
  expect([await statusOf(app, link.hash), await statusOf(app, link.hash)]).toEqual([200, 403])
  expect((await change(0)).status).toBe(200)
  expect([await statusOf(app, link.hash), await left()]).toEqual([200, null])
})

test('of simultaneous downloads, a link allows exactly as many as its limit', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/docs', { maxDownloads: 5 })
  const rests = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? `${hash}/a.txt` : `${hash}/`))
  const statuses = await Promise.all(rests.map((rest) => statusOf(app, rest)))
  expect(statuses.filter((status) => status === 200)).toHaveLength(5)
  expect(statuses.filter((status) => status === 403)).toHaveLength(15)
  expect((await countsOf(app, hash)).downloads).toBe(5)
})

test('later parts of a file that a client has begun are free for a day, and no part is free without its beginning', async () => {
  let nowMs = Date.now()
  const app = await startApp({ files, nowMs: () => nowMs })
  const { hash } = await share(app, '/docs', { maxDownloads: 2 })
  const a = `${hash}/a.txt`
  expect(await statusOf(app, a, { range: 'bytes=0-3' })).toBe(206)
  for (const range of ['bytes=4-', 'bytes=-2', 'bytes=4-5,7-8'])
    expect([range, await statusOf(app, a, { range })]).toEqual([range, 206])
  // A response without bytes of the file is no download.
  const { etag = '' } = Object.fromEntries((await download(app, a, { range: 'bytes=9-' })).headers)
  expect(await statusOf(app, a, { headers: { 'if-none-match': etag } })).toBe(304)
  expect(await statusOf(app, a, { range: 'bytes=100-' })).toBe(416)
  expect(await statusOf(app, `${hash}/absent.txt`)).toBe(404)
  expect((await countsOf(app, hash)).downloads).toBe(1)

  // A part of another file is a download, and the last one.
  expect(await statusOf(app, `${hash}/b.txt`, { range: 'bytes=1-' })).toBe(206)
  expect((await countsOf(app, hash)).downloads).toBe(2)
  expect(await statusOf(app, `${hash}/b.txt`, { range: 'bytes=2-' })).toBe(206)
  expect(await statusOf(app, a, { range: 'bytes=0-' })).toBe(403)
  expect(await statusOf(app, a, { range: 'bytes=4-' })).toBe(206)
  nowMs += 24 * 60 * 60 * 1000
  expect(await statusOf(app, a, { range: 'bytes=4-' })).toBe(403)
})

test('visits and downloads are counted for the owner and not for guests, and survive the end of the server', async () => {
  const app = await startApp({ files })
  const created = await share(app, '/docs')
  const { hash } = created
  // A link that nobody has used is described as before.
  expect(Object.keys(created)).toEqual([
    'hash',
    'path',
    'userID',
    'expire',
    'availableFrom',
    'hasPassword',
    'mode',
  ])
  for (const rest of [hash, `${hash}/`, `${hash}/a.txt`]) {
    const response = await requestAsGuest(app, 'share', rest)
    expect(Object.keys((await response.json()) as object)).not.toContain('visits')
  }
  await app.fetch(`/api/public/share/${hash}`, { method: 'HEAD', token: null })
  await Promise.all(Array.from({ length: 10 }, () => statusOf(app, `${hash}/a.txt`)))
  await statusOf(app, `${hash}/a.txt`, { range: 'bytes=5-' })
  await expect.poll(() => countsOf(app, hash)).toEqual({ visits: 1, downloads: 10 })
  // A server stores its counts before it ends.
  const peer = await app.startPeer()
  await Promise.all(
    Array.from({ length: 10 }, async () => (await fetch(`${peer.url}/api/public/dl/${hash}/a.txt`)).text()),
  )
  await peer.close()
  expect(await countsOf(app, hash)).toEqual({ visits: 1, downloads: 20 })
})

test('an administrator reads the visits and downloads of the link of another user, and other users do not', async () => {
  const app = await startApp({ files, users: { ada: { perm: { admin: true } }, ben: {} } })
  const { hash } = await share(app, '/docs')
  expect((await requestAsGuest(app, 'share', hash)).status).toBe(200)
  expect([await statusOf(app, `${hash}/a.txt`), await statusOf(app, `${hash}/b.txt`)]).toEqual([200, 200])
  const [ada, ben] = [await app.signIn('ada'), await app.signIn('ben')]
  await expect.poll(() => countsOf(ada, hash)).toEqual({ visits: 1, downloads: 2 })
  expect(await countsOf(ben, hash)).toEqual({ visits: 0, downloads: 0 })
})

test('what a guest sees of a link without a pause of 30 minutes is one visit, from the shared entry on', async () => {
  let nowMs = Date.now()
  const app = await startApp({ files, nowMs: () => nowMs })
  const [docs, one] = [await share(app, '/docs'), await share(app, '/one.txt')]
  const look = async (rest: string, afterMinutes = 0) => {
    nowMs += afterMinutes * 60_000
    expect((await requestAsGuest(app, 'share', rest)).status).toBe(200)
  }
  const visits = (hash: string) => async () => (await countsOf(app, hash)).visits
  // An address below the shared entry begins no visit.
  await look(`${docs.hash}/a.txt`)
  for (const rest of [docs.hash, `${docs.hash}/a.txt`, docs.hash]) await look(rest, 20)
  await look(one.hash)
  await expect.poll(visits(one.hash)).toBe(1)
  expect(await visits(docs.hash)()).toBe(1)
  await look(docs.hash, 31)
  await expect.poll(visits(docs.hash)).toBe(2)
})

test('two servers together allow exactly as many downloads as the limit', async () => {
  const app = await startApp({ files })
  const peer = await app.startPeer()
  const { hash } = await share(app, '/one.txt', { maxDownloads: 7 })
  const statuses = await Promise.all(
    Array.from({ length: 24 }, async (_, n) => {
      const response = await fetch(`${n % 2 === 0 ? app.url : peer.url}/api/public/dl/${hash}`)
      await response.arrayBuffer()
      return response.status
    }),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(7)
  expect(statuses.filter((status) => status === 403)).toHaveLength(17)
})

test('a link that is used up converts a film only for a client who has begun it', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/docs', { maxDownloads: 1 })
  const remux = (name: string) =>
    requestAsGuest(app, 'dl', `${hash}/${name}`, { query: '?inline=true&remux=0' })
  expect(await statusOf(app, `${hash}/a.txt`)).toBe(200)
  const refused = await remux('b.txt')
  expect([refused.status, refused.headers.get('x-refused')]).toEqual([403, 'downloads'])
  // The conversion of a text fails.
  expect((await remux('a.txt')).headers.get('x-refused')).toBeNull()
})

test.for([-1, 10_001, 1.5, '3'])('the limit %j is refused', async (maxDownloads) => {
  const app = await startApp({ files })
  const response = await app.call('shares.create', { path: '/one.txt', json: { maxDownloads } })
  expect(response.status).toBe(400)
})
