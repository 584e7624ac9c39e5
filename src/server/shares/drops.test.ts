import { once } from 'node:events'
import type { ClientRequest } from 'node:http'
import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { hookProgram } from '../../../test/kit/hook-program.ts'
import { sendInChunks } from '../../../test/kit/send-in-chunks.ts'
import { beginDrop, dropAsGuest, requestAsGuest, share } from '../../../test/kit/share.ts'
import { startApp, treeOf, type SignedInUser } from '../../../test/kit/start-app.ts'
import { startAppWithHooks } from '../../../test/kit/start-app-with-hooks.ts'
import { eventually } from '../../../test/kit/start-http-server.ts'
import { connectWatcher } from '../../../test/kit/watching-client.ts'
import { limits } from '../../shared/domain/limits.ts'
import type {
  NewShare,
  ReceivedFileResource,
  RunningReceptionResource,
  ShareResource,
} from '../../shared/contract/shares.ts'

const files = { inbox: { 'a.txt': 'mine', sub: { 'deep.txt': 'deep' } }, 'other.txt': 'other' }

const drop = (person: SignedInUser, options: NewShare = {}): Promise<ShareResource> =>
  share(person, '/inbox', { mode: 'upload-only', ...options })

const codeOf = async (response: Response) => [response.status, response.headers.get('x-error')]

async function received(person: SignedInUser, hash: string) {
  const response = await person.call('shares.received', { path: `/${hash}` })
  return (await response.json()) as {
    readonly files: ReceivedFileResource[]
    readonly running: RunningReceptionResource[]
    readonly total: number
  }
}

const countOf = async (person: SignedInUser): Promise<ShareResource['drop']> =>
  ((await (await person.call('shares.list')).json()) as ShareResource[])[0]?.drop

/** Returns the status of the response. Must be called before the response can arrive. */
const statusOf = async (outgoing: ClientRequest): Promise<number | undefined> => {
  const [response] = (await once(outgoing, 'response')) as [{ statusCode?: number; resume: () => void }]
  response.resume()
  return response.statusCode
}

describe('what an upload-only share shows', () => {
  test('a guest learns the title and the terms, and nothing of what is in the folder', async () => {
    const app = await startApp({ files, config: { maxUploadSize: 500 } })
    const { hash, expire } = await drop(app, { expires: 1, maxFiles: 3, maxBytes: 100 })
    const shown = await requestAsGuest(app, 'share', hash)
    expect(await shown.json()).toEqual({
      shareMode: 'upload-only',
      name: 'inbox',
      expire,
      maxFiles: 3,
      maxBytes: 100,
      maxFileBytes: 500,
      receivedFiles: 0,
    })
    expect(shown.headers.get('etag')).toBe(null)
    expect(shown.headers.get('x-robots-tag')).toBe('noindex')
    await app.call('resources.create', { path: '/inbox/new.txt', body: 'more' })
    expect(await (await requestAsGuest(app, 'share', hash)).text()).not.toContain('new.txt')
    await app.fetch(`/api/public/drop/${hash}/sent.txt`, { method: 'POST', body: 'sent', token: null })
    expect(await (await requestAsGuest(app, 'share', hash)).json()).toMatchObject({ receivedFiles: 1 })
    const unlimited = await drop(app)
    expect(await (await requestAsGuest(app, 'share', unlimited.hash)).json()).not.toHaveProperty(
      'receivedFiles',
    )
  })

  test('every other reading call is refused in the same way, whether or not the entry exists', async () => {
    const app = await startApp({ files })
    const { hash } = await drop(app)
    for (const rest of ['a.txt', 'none.txt', 'sub', 'sub/', 'sub/deep.txt', 'a.txt/b', 'a%2Fb'])
      expect([rest, ...(await codeOf(await requestAsGuest(app, 'share', `${hash}/${rest}`)))]).toEqual([
        rest,
        403,
        'forbidden',
      ])
    expect(await app.rawStatus('GET', `/api/public/share/${hash}/%2e%2e`)).toBe(400)
    const queries = ['', '?inline=true', '?algo=tar', '?files=a.txt', '?inline=true&remux=0', '?checksum=md5']
    for (const rest of [hash, `${hash}/a.txt`, `${hash}/none.txt`, `${hash}/sub`])
      for (const query of queries)
        expect(await codeOf(await requestAsGuest(app, 'dl', rest, { query }))).toEqual([403, 'forbidden'])
    expect(await app.rawStatus('HEAD', `/api/public/dl/${hash}/a.txt`)).toBe(403)
  })

  test('a password, a start and an end apply as to other shares', async () => {
    const app = await startApp({ files })
    const { hash } = await drop(app, { password: 'secret word' })
    expect(await codeOf(await requestAsGuest(app, 'share', hash))).toEqual([401, 'not-signed-in'])
    expect(await codeOf(await dropAsGuest(app, `${hash}/n.txt`))).toEqual([401, 'not-signed-in'])
    const shown = await requestAsGuest(app, 'share', hash, { password: 'secret word' })
    const { token } = (await shown.json()) as { readonly token: string }
    expect(shown.headers.get('cache-control')).toBe('private, no-store')
    expect((await dropAsGuest(app, `${hash}/n.txt`, { query: `?token=${token}` })).status).toBe(200)
    expect((await dropAsGuest(app, `${hash}/m.txt`, { password: 'secret word' })).status).toBe(200)
    await app.call('shares.update', {
      path: `/${hash}`,
      json: { password: '', availableFrom: 4_000_000_000 },
    })
    expect(await codeOf(await dropAsGuest(app, `${hash}/o.txt`))).toEqual([404, 'not-found'])
    await app.records.shares.update(hash, { availableFromSeconds: null, expiresAtSeconds: 1 })
    const unknown = await codeOf(await dropAsGuest(app, 'unknown/o.txt'))
    expect(await codeOf(await dropAsGuest(app, `${hash}/o.txt`))).toEqual(unknown)
    expect(unknown).toEqual([404, 'not-found'])
  })

  test('a share with another mode takes no files', async () => {
    const app = await startApp({ files })
    for (const mode of ['download', 'view-only'] as const) {
      const { hash } = await share(app, '/inbox', { mode })
      expect(await codeOf(await dropAsGuest(app, `${hash}/n.txt`))).toEqual([403, 'forbidden'])
    }
    expect(await treeOf(app.disk)).toEqual(files)
  })
})

describe('the terms of an upload-only share', () => {
  test('only folders can be upload-only, and only while their owner may create', async () => {
    const app = await startApp({ files, users: { joe: { perm: { create: false } } } })
    const joe = await app.signIn('joe')
    const json = { mode: 'upload-only' }
    expect(await codeOf(await app.call('shares.create', { path: '/other.txt', json }))).toEqual([
      400,
      'bad-request',
    ])
    const refused = await joe.call('shares.create', { path: '/inbox', json })
    expect([refused.status, refused.headers.get('x-permission')]).toEqual([403, 'create'])
    const ofFile = await share(app, '/other.txt')
    expect(await codeOf(await app.call('shares.update', { path: `/${ofFile.hash}`, json }))).toEqual([
      400,
      'bad-request',
    ])
    const ofJoe = await share(joe, '/inbox')
    expect((await joe.call('shares.update', { path: `/${ofJoe.hash}`, json })).status).toBe(403)
    expect(ofJoe.drop).toBe(undefined)
  })

  test('limits can be set, changed and removed, and are checked', async () => {
    const app = await startApp({ files })
    const made = await drop(app, { maxFiles: 2, maxBytes: 10 })
    expect(made.drop).toEqual({
      maxFiles: 2,
      maxBytes: 10,
      receivedFiles: 0,
      receivedBytes: 0,
      runningFiles: 0,
    })
    const update = async (json: unknown) =>
      (await (await app.call('shares.update', { path: `/${made.hash}`, json })).json()) as ShareResource
    expect((await update({ maxFiles: 5 })).drop).toMatchObject({ maxFiles: 5, maxBytes: 10 })
    expect((await update({ maxBytes: 0, maxFiles: null })).drop).toMatchObject({ maxFiles: 5, maxBytes: 0 })
    for (const json of [{ maxFiles: -1 }, { maxFiles: 10_001 }, { maxBytes: 1.5 }, { maxBytes: '9' }])
      expect((await app.call('shares.update', { path: `/${made.hash}`, json })).status).toBe(400)
  })

  test('the owner who wants to be told gets the number of files that nobody has looked at', async () => {
    const app = await startApp({ files })
    const { hash } = await drop(app, { tellsOfFiles: true })
    const newFiles = async () => {
      const [link] = (await (await app.call('shares.list')).json()) as readonly ShareResource[]
      return link?.drop?.newFiles
    }
    const change = async (json: unknown) =>
      (await app.call('shares.update', { path: `/${hash}`, json })).status
    expect(await newFiles()).toBe(0)
    for (const name of ['a.txt', 'b.txt']) await dropAsGuest(app, `${hash}/${name}`)
    expect(await newFiles()).toBe(2)
    expect(await change({ seenFiles: 1 })).toBe(200)
    expect(await newFiles()).toBe(1)
    expect(await change({ seenFiles: 10_000 })).toBe(200)
    expect(await newFiles()).toBe(0)
    expect(await change({ seenFiles: 10_001 })).toBe(400)
    expect(await change({ tellsOfFiles: false })).toBe(200)
    expect(await newFiles()).toBeUndefined()
  })

  test('the owner who loses the permission to create or to share receives nothing', async () => {
    const app = await startApp({ files })
    const { hash } = await drop(app)
    for (const lost of ['create', 'share'] as const) {
      await app.records.users.update(app.user.id, { perm: { ...app.user.perm, [lost]: false } })
      expect(await codeOf(await dropAsGuest(app, `${hash}/n.txt`))).toEqual([403, 'forbidden'])
      expect(await codeOf(await requestAsGuest(app, 'share', hash))).toEqual([403, 'forbidden'])
    }
    await app.records.users.update(app.user.id, { perm: { ...app.user.perm, download: false } })
    expect((await dropAsGuest(app, `${hash}/n.txt`)).status).toBe(200)
    await app.records.users.update(app.user.id, { isDisabled: true })
    expect(await codeOf(await dropAsGuest(app, `${hash}/o.txt`))).toEqual([403, 'forbidden'])
    expect(await treeOf(app.disk)).toEqual({ ...files, inbox: { ...files.inbox, 'n.txt': 'bytes' } })
  })
})

describe('a file of a guest', () => {
  test('arrives with its bytes, its time, and the words of the guest for the owner alone', async () => {
    const app = await startApp({ files, users: { joe: {}, ada: { perm: { admin: true } } } })
    const { hash } = await drop(app)
    const headers = {
      'x-guest-name': encodeURIComponent('Zoë 🦊'),
      'x-guest-note': encodeURIComponent('first line\r\n<b>second</b>'),
      'x-modified-ms': '1600000000000',
    }
    const before = Date.now()
    const response = await dropAsGuest(app, `${hash}/${encodeURIComponent('b #?&+ 🦊.txt')}`, {
      headers,
      body: 'hello',
    })
    expect([response.status, await response.text()]).toEqual([200, '200 OK\n'])
    const list = await received(app, hash)
    expect(list).toEqual({
      total: 1,
      running: [],
      files: [
        {
          name: 'b #?&+ 🦊.txt',
          guest: 'Zoë 🦊',
          note: 'first line\n<b>second</b>',
          size: 5,
          receivedMs: list.files[0]?.receivedMs,
        },
      ],
    })
    expect(list.files[0]?.receivedMs).toBeGreaterThanOrEqual(before)
    const stored = await app.call('resources.get', { path: '/inbox/b #?&+ 🦊.txt' })
    expect(await stored.json()).toMatchObject({
      size: 5,
      content: 'hello',
      modified: '2020-09-13T12:26:40.000Z',
    })
    expect(await countOf(app)).toMatchObject({ receivedFiles: 1, receivedBytes: 5 })
    expect((await (await app.signIn('joe')).call('shares.received', { path: `/${hash}` })).status).toBe(403)
    expect((await received(await app.signIn('ada'), hash)).total).toBe(1)
    expect((await app.call('shares.received', { path: '/unknown' })).status).toBe(404)
    await app.call('shares.remove', { path: `/${hash}` })
    expect((await app.call('shares.received', { path: `/${hash}` })).status).toBe(404)
    expect(await app.records.receivedFiles.totals(hash)).toEqual({ files: 0, bytes: 0 })
  })

  test('with a taken name gets a new name, and the guest is told the same as always', async () => {
    const app = await startApp({ files: { inbox: { 'a.txt': 'mine', b: { 'c.txt': 'c' } }, out: 'out' } })
    await symlink('../out', path.join(app.disk, 'inbox', 'link'))
    await symlink('/nowhere/else', path.join(app.disk, 'inbox', 'broken'))
    const { hash } = await drop(app)
    const answers = new Set<string>()
    for (const name of [
      'a.txt',
      'a.txt',
      'free.txt',
      'b',
      'link',
      'broken',
      '.tar',
      'x.tar.gz',
      'x.tar.gz',
    ]) {
      const response = await dropAsGuest(app, `${hash}/${name}`, { body: 'new' })
      answers.add(`${response.status} ${await response.text()} ${response.headers.get('etag')}`)
    }
    expect([...answers]).toEqual(['200 200 OK\n null'])
    expect(await treeOf(app.disk)).toEqual({
      inbox: {
        '.tar': 'new',
        'a.txt': 'mine',
        'a (2).txt': 'new',
        'a (3).txt': 'new',
        b: { 'c.txt': 'c' },
        'b (2)': 'new',
        broken: { link: '' },
        'broken (2)': 'new',
        'free.txt': 'new',
        link: { link: '' },
        'link (2)': 'new',
        'x.tar.gz': 'new',
        'x.tar (2).gz': 'new',
      },
      out: 'out',
    })
    expect((await received(app, hash)).files.map(({ name }) => name)).toContain('a (3).txt')
  })

  test('of a name that is sent again and again gets a random name after twenty, and long names are cut', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app)
    for (let count = 0; count < 23; count += 1)
      expect((await dropAsGuest(app, `${hash}/a.txt`)).status).toBe(200)
    const names = await readdir(path.join(app.disk, 'inbox'))
    expect(names).toHaveLength(23)
    expect(names.filter((name) => /^a( \([\w-]+\))?\.txt$/.test(name))).toHaveLength(23)
    const long = `${'é'.repeat(125)}.text`
    for (let count = 0; count < 2; count += 1)
      expect((await dropAsGuest(app, `${hash}/${encodeURIComponent(long)}`)).status).toBe(200)
    expect(await readdir(path.join(app.disk, 'inbox'))).toEqual(
      expect.arrayContaining([long, `${'é'.repeat(123)} (2).text`]),
    )
  })

  test.each([
    ['..', 400],
    ['%2e%2e', 400],
    ['..%2fother.txt', 400],
    ['%2fetc%2fpasswd', 400],
    ['sub/new.txt', 400],
    ['../other.txt', 400],
    ['sub%2fnew.txt', 400],
    ['', 400],
    ['new/', 400],
    ['%20', 400],
    ['a%0Ab', 400],
    ['a%00b', 400],
    ['a%7Fb', 400],
    ['%ff', 400],
    ['%zz', 400],
    ['a'.repeat(256), 400],
    ['.hidden', 403],
    ['denied.txt', 403],
    ['none-denied.txt', 403],
  ])('cannot be called %s', async (name, status) => {
    const rule = { regex: true, allow: false, path: '', regexp: { raw: 'denied' } }
    const app = await startApp({
      files: { ...files, inbox: { ...files.inbox, 'denied.txt': 'x' } },
      user: { hideDotfiles: true, rules: [rule] },
    })
    const before = await treeOf(app.disk)
    const { hash } = await drop(app)
    expect(await app.rawStatus('POST', `/api/public/drop/${hash}/${name}`)).toBe(status)
    expect(await treeOf(app.disk)).toEqual(before)
    expect((await received(app, hash)).total).toBe(0)
  })

  test('needs a size, and words that are bounded plain text', async () => {
    const app = await startApp({ files })
    const { hash } = await drop(app)
    const target = `/api/public/drop/${hash}/n.txt`
    expect(await sendInChunks(app, app.url, { method: 'POST', path: target, chunks: ['a', 'b'] })).toBe(400)
    const status = async (headers: Record<string, string>) =>
      (await dropAsGuest(app, `${hash}/n.txt`, { headers })).status
    expect(await status({ 'x-guest-name': 'a'.repeat(101) })).toBe(400)
    expect(await status({ 'x-guest-name': 'a%0Ab' })).toBe(400)
    expect(await status({ 'x-guest-note': 'a'.repeat(1001) })).toBe(400)
    expect(await status({ 'x-guest-note': '%1B[31m' })).toBe(400)
    expect(await status({ 'x-guest-note': '%zz' })).toBe(400)
    expect(await status({ 'x-upload-id': 'short' })).toBe(400)
    expect(await treeOf(app.disk)).toEqual(files)
    const fox = encodeURIComponent('🦊')
    expect(await status({ 'x-guest-name': fox.repeat(100), 'x-guest-note': fox.repeat(1000) })).toBe(200)
  })

  test('is stored once when the guest missed the response and sends it again', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { maxFiles: 1 })
    const headers = { 'x-upload-id': 'aaaaaaaaaaaaaaaaaaaaaa' }
    for (let count = 0; count < 3; count += 1)
      expect((await dropAsGuest(app, `${hash}/a.txt`, { headers })).status).toBe(200)
    expect(await treeOf(app.disk)).toEqual({ inbox: { 'a.txt': 'bytes' } })
    const other = await share(app, '/inbox', { mode: 'upload-only' })
    expect((await dropAsGuest(app, `${other.hash}/a.txt`, { headers })).status).toBe(200)
    expect(Object.keys((await treeOf(app.disk))['inbox'] as object)).toHaveLength(2)
  })

  test('reaches a whole scope, whose name the guest does not learn', async () => {
    const app = await startApp({
      files: { ann: { 'a.txt': 'mine' }, 'a.txt': 'other' },
      user: { scope: 'ann' },
    })
    const { hash } = await share(app, '/', { mode: 'upload-only' })
    expect(await (await requestAsGuest(app, 'share', hash)).json()).toMatchObject({ name: '' })
    expect((await dropAsGuest(app, `${hash}/a.txt`)).status).toBe(200)
    expect(await treeOf(app.disk)).toEqual({
      ann: { 'a.txt': 'mine', 'a (2).txt': 'bytes' },
      'a.txt': 'other',
    })
  })

  test('reaches the folder after it was renamed, and nothing when another entry has its place', async () => {
    const app = await startApp({ files })
    const { hash } = await drop(app)
    await app.call('resources.transfer', {
      path: '/inbox',
      query: { action: 'rename', destination: '/moved' },
    })
    expect((await dropAsGuest(app, `${hash}/n.txt`)).status).toBe(200)
    expect(await readdir(path.join(app.disk, 'moved'))).toContain('n.txt')
    await rename(path.join(app.disk, 'moved'), path.join(app.disk, 'gone'))
    await mkdir(path.join(app.disk, 'secret'))
    await symlink('secret', path.join(app.disk, 'moved'))
    expect(await codeOf(await dropAsGuest(app, `${hash}/m.txt`))).toEqual([404, 'not-found'])
    expect(await readdir(path.join(app.disk, 'secret'))).toEqual([])
  })
})

describe('the limits of an upload-only share', () => {
  test('of files and bytes hold against ten concurrent uploads', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { maxFiles: 4 })
    const send = (rest: string) => async (_: unknown, n: number) =>
      codeOf(await dropAsGuest(app, `${rest}/same.txt`, { body: `bytes ${n}` }))
    const statuses = await Promise.all(Array.from({ length: 10 }).map(send(hash)))
    expect(statuses.filter(([status]) => status === 200)).toHaveLength(4)
    expect(statuses.filter(([, code]) => code === 'too-many-files')).toHaveLength(6)
    // An upload that is refused may have had a number, which no other upload takes then.
    const names = await readdir(path.join(app.disk, 'inbox'))
    expect(names).toHaveLength(4)
    expect(names.filter((name) => !/^same( \(([2-9]|10)\))?\.txt$/.test(name))).toEqual([])
    const byBytes = await share(app, '/inbox', { mode: 'upload-only', maxBytes: 22 })
    const more = await Promise.all(Array.from({ length: 10 }).map(send(byBytes.hash)))
    expect(more.filter(([status]) => status === 200)).toHaveLength(3)
    expect(more.filter(([, code]) => code === 'no-space')).toHaveLength(7)
    expect((await received(app, byBytes.hash)).total).toBe(3)
    expect(await codeOf(await dropAsGuest(app, `${byBytes.hash}/big`, { body: 'x'.repeat(23) }))).toEqual([
      413,
      'too-large',
    ])
  })

  test('count a file when all of it has arrived, so that slow guests keep nobody out', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { maxFiles: 1, maxBytes: 1_000_000 })
    const [slow, left] = [
      await beginDrop(app, `${hash}/big.bin`, 1_000_000),
      await beginDrop(app, `${hash}/left.bin`, 1_000_000),
    ]
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length === 2)
    left.destroy()
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length === 1)
    expect((await received(app, hash)).total).toBe(0)
    expect((await dropAsGuest(app, `${hash}/b.txt`)).status).toBe(200)
    expect(await codeOf(await dropAsGuest(app, `${hash}/c.txt`))).toEqual([507, 'too-many-files'])
    slow.end(Buffer.alloc(999_995))
    expect(await statusOf(slow)).toBe(507)
    expect(await treeOf(app.disk)).toEqual({ inbox: { 'b.txt': 'bytes' } })
    expect(await countOf(app)).toMatchObject({ receivedFiles: 1, receivedBytes: 5, runningFiles: 0 })
  })

  test('count the bytes of all files together as they arrive', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { maxBytes: 300_000 })
    const [one, other] = [
      await beginDrop(app, `${hash}/one`, 200_005),
      await beginDrop(app, `${hash}/other`, 200_005),
    ]
    one.write(Buffer.alloc(150_000))
    await eventuallyAsync(async () =>
      (await received(app, hash)).running.some(({ received: bytes }) => bytes === 150_005),
    )
    other.write(Buffer.alloc(199_990))
    expect(await statusOf(other)).toBe(507)
    one.end(Buffer.alloc(50_000))
    expect(await statusOf(one)).toBe(200)
  })

  test('count a file once that is sent again before the lost connection of the first attempt was noticed', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { maxFiles: 1 })
    const uploadId = 'aaaaaaaaaaaaaaaaaaaaaa'
    const lost = await beginDrop(app, `${hash}/a.bin`, 100_000, { 'x-upload-id': uploadId })
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length > 0)
    const again = { headers: { 'x-upload-id': uploadId }, body: 'x'.repeat(100_000) }
    expect((await dropAsGuest(app, `${hash}/a.bin`, again)).status).toBe(200)
    lost.end(Buffer.alloc(99_995))
    expect(await statusOf(lost)).toBe(423)
    expect(await readdir(path.join(app.disk, 'inbox'))).toHaveLength(1)
    expect(await countOf(app)).toMatchObject({ receivedFiles: 1, receivedBytes: 100_000 })
    expect((await dropAsGuest(app, `${hash}/a.bin`, again)).status).toBe(200)
    expect(await readdir(path.join(app.disk, 'inbox'))).toHaveLength(1)
  })

  test('count every file of small uploads that are sent at the same time with one id', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { maxFiles: 1 })
    const headers = { 'x-upload-id': 'aaaaaaaaaaaaaaaaaaaaaa' }
    const names = Array.from({ length: 40 }, (_, number) => `${hash}/${number}.txt`)
    await Promise.all(names.map(async (name) => dropAsGuest(app, name, { headers })))
    const stored = await readdir(path.join(app.disk, 'inbox'))
    expect(await countOf(app)).toMatchObject({ receivedFiles: stored.length })
    expect((await dropAsGuest(app, `${hash}/more.txt`)).status).toBe(507)
  })

  test('give back the place of a server that crashed, once its lease has ended', async () => {
    let nowMs = Date.now()
    const app = await startApp({ files: { inbox: {} }, nowMs: () => nowMs })
    const { hash } = await drop(app, { maxFiles: 1 })
    const place = { id: 'crashed', shareHash: hash, uploadId: '', guest: '', note: '', sizeBytes: 1 }
    await app.records.receivedFiles.begin(place)
    expect(await app.records.receivedFiles.reserve(place, nowMs + 1000)).toBe('reserved')
    expect((await dropAsGuest(app, `${hash}/a.txt`)).status).toBe(507)
    nowMs += 1001
    expect((await dropAsGuest(app, `${hash}/a.txt`)).status).toBe(200)
  })

  test('a link that ends while a file is being received does not get the file', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app)
    const outgoing = await beginDrop(app, `${hash}/big.bin`, 100_000)
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length > 0)
    const ended = statusOf(outgoing)
    await app.call('shares.remove', { path: `/${hash}` })
    outgoing.end(Buffer.alloc(99_995))
    expect(await ended).toBe(404)
    expect(await readdir(path.join(app.disk, 'inbox'))).toEqual([])
  })

  test.each([
    ['another password', 403, { password: 'other' }],
    ['a later start', 404, { availableFrom: 4_000_000_000 }],
    ['another mode', 403, { mode: 'download' }],
    ['other rules of its owner', 403, null],
  ])('a link that gets %s while a file is being received does not get the file', async (_, status, json) => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app, { password: 'first' })
    const outgoing = await beginDrop(app, `${hash}/big.bin`, 100_000, { 'x-share-password': 'first' })
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length > 0)
    const rules = [{ regex: false, allow: false, path: '/inbox/secret', regexp: null }]
    const ended = statusOf(outgoing)
    if (json === null) await app.records.users.update(app.user.id, { rules })
    else await app.call('shares.update', { path: `/${hash}`, json })
    outgoing.end(Buffer.alloc(99_995))
    expect(await ended).toBe(status)
    expect(await readdir(path.join(app.disk, 'inbox'))).toEqual([])
  })

  test('a name that the owner takes while a file is being received is not overwritten', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app)
    const outgoing = await beginDrop(app, `${hash}/a.bin`, 100_000)
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length > 0)
    await writeFile(path.join(app.disk, 'inbox', 'a.bin'), 'mine')
    outgoing.end(Buffer.alloc(99_995))
    expect(await statusOf(outgoing)).toBe(423)
    expect(await treeOf(app.disk)).toEqual({ inbox: { 'a.bin': 'mine' } })
    expect(await countOf(app)).toMatchObject({ receivedFiles: 0 })
  })
})

describe('what applies to the owner applies to the files of guests', () => {
  test('the quota and the limit of the server', async () => {
    const app = await startApp({
      files: { ann: { inbox: { 'a.txt': 'abc' } } },
      user: { scope: 'ann', quotaBytes: 10 },
      config: { maxUploadSize: 8 },
    })
    const { hash } = await drop(app)
    expect(await codeOf(await dropAsGuest(app, `${hash}/b`, { body: '12345678' }))).toEqual([
      507,
      'over-quota',
    ])
    expect(await codeOf(await dropAsGuest(app, `${hash}/b`, { body: '123456789' }))).toEqual([
      413,
      'too-large',
    ])
    expect((await dropAsGuest(app, `${hash}/b`, { body: '1234567' })).status).toBe(200)
    expect((await dropAsGuest(app, `${hash}/c`, { body: '1' })).status).toBe(507)
    expect((await received(app, hash)).total).toBe(1)
  })

  test('what a guest announces takes nothing from the quota of the owner, and what has arrived does', async () => {
    const app = await startApp({ files: { ann: { inbox: {} } }, user: { scope: 'ann', quotaBytes: 200_000 } })
    const { hash } = await drop(app)
    const slow = await beginDrop(app, `${hash}/slow`, 150_000)
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'ann/inbox'))).length > 0)
    const create = async (at: string, sizeBytes: number) =>
      (await app.call('resources.create', { path: at, body: 'x'.repeat(sizeBytes) })).status
    expect(await create('/own', 150_000)).toBe(200)
    slow.write('x'.repeat(100_000))
    expect(await statusOf(slow)).toBe(507)
    expect([await create('/more', 50_001), await create('/more', 50_000)]).toEqual([507, 200])
    expect(await readdir(path.join(app.disk, 'ann/inbox'))).toEqual([])
  })

  test('hooks run as for an upload of the owner, and can refuse a file', async () => {
    const hook = hookProgram()
    const refusing = hookProgram('case "$FILE" in *.exe) exit 1;; esac')
    const app = await startAppWithHooks(
      { before_upload: [refusing.program], after_upload: [hook.program] },
      { files: { inbox: {} } },
    )
    const { hash } = await drop(app)
    expect((await dropAsGuest(app, `${hash}/n.exe`)).status).not.toBe(200)
    expect((await dropAsGuest(app, `${hash}/n.txt`)).status).toBe(200)
    expect(hook.runs()).toMatchObject([
      { trigger: 'after_upload', file: path.join(app.disk, 'inbox', 'n.txt'), username: 'ann' },
    ])
    expect(await treeOf(app.disk)).toEqual({ inbox: { 'n.txt': 'bytes' } })
    expect((await received(app, hash)).total).toBe(1)
  })

  test('a guest does not learn what a program printed, which may contain the free name', async () => {
    const refusing = hookProgram('case "$FILE" in */inbox/*) echo "no $FILE" >&2; exit 1;; esac')
    const app = await startAppWithHooks({ before_upload: [refusing.program] }, { files })
    const { hash } = await drop(app)
    for (const name of ['a.txt', 'b.txt']) {
      const response = await dropAsGuest(app, `${hash}/${name}`)
      expect([
        ...(await codeOf(response)),
        response.headers.get('x-refusal-reason'),
        await response.text(),
      ]).toEqual([500, 'refused-by-hook', null, '500 Internal Server Error\n'])
    }
    const response = await app.call('resources.create', { path: '/inbox/b.txt', body: 'more' })
    expect(response.headers.get('x-refusal-reason')).toBe('no%20b.txt')
    expect(await treeOf(app.disk)).toEqual(files)
  })

  test('the owner sees the file at once', async () => {
    const app = await startApp({ files, basePath: '/files' })
    const { hash } = await drop(app)
    const { next, socket } = await connectWatcher(app, app, ['/inbox'])
    expect((await dropAsGuest(app, `${hash}/a.txt`)).status).toBe(200)
    expect(await next()).toMatchObject({ kind: 'created', path: '/inbox/a (2).txt' })
    socket.close()
  })

  test('guests do not take the places of the owner, and pages of other sites cannot send files', async () => {
    const app = await startApp({ files: { inbox: {} } })
    const { hash } = await drop(app)
    const slow = await Promise.all(
      Array.from({ length: 6 }, (_, n) => beginDrop(app, `${hash}/${n}`, 100_000)),
    )
    await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length >= 5)
    const body = 'x'.repeat(100_000)
    expect((await app.call('resources.create', { path: '/inbox/own', body })).status).toBe(200)
    for (const outgoing of slow) outgoing.destroy()
    const headers = { origin: 'https://elsewhere.example' }
    expect((await dropAsGuest(app, `${hash}/n.txt`, { headers })).status).toBe(403)
  })
})

const from = (network: number) => ({ 'x-forwarded-for': `198.51.${network}.7` })

test('the files that a share receives at the same time are limited, those of one network to a part of them', async () => {
  const app = await startApp({ files: { inbox: {} }, config: { trustedProxies: ['127.0.0.1'] } })
  const { hash } = await drop(app)
  const networks = limits.receptionsOfShare / limits.receptionsOfNetwork
  const sendMany = async (network: number) =>
    Promise.all(
      Array.from({ length: limits.receptionsOfNetwork + 2 }, (_, n) =>
        beginDrop(app, `${hash}/${network}-${n}`, 100_000, from(network)),
      ),
    )
  const runningFiles = async () => (await received(app, hash)).running.length
  const slow = await sendMany(0)
  await eventuallyAsync(async () => (await runningFiles()) === limits.receptionsOfNetwork)
  expect((await dropAsGuest(app, `${hash}/other.txt`, { headers: from(99) })).status).toBe(200)
  for (let network = 1; network <= networks; network += 1) slow.push(...(await sendMany(network)))
  await eventuallyAsync(async () => (await runningFiles()) === limits.receptionsOfShare)
  const waiting = await beginDrop(app, `${hash}/waiting`, 5, from(99))
  expect(await runningFiles()).toBe(limits.receptionsOfShare)
  for (const outgoing of slow) outgoing.destroy()
  expect(await statusOf(waiting)).toBe(200)
})

const end = async (person: SignedInUser, at: string) =>
  codeOf(await person.call('shares.end-reception', { path: at }))

test('the owner and administrators see what is arriving and end it, and nobody else does', async () => {
  const app = await startApp({
    files: { inbox: {} },
    user: { perm: { admin: false } },
    users: { joe: {}, root: { perm: { admin: true } } },
  })
  const { hash } = await drop(app)
  const headers = { 'x-guest-name': 'Mia' }
  const guests = [
    await beginDrop(app, `${hash}/a.bin`, 100_000, headers),
    await beginDrop(app, `${hash}/b.bin`, 100_000),
  ]
  const statuses = Promise.all(guests.map(statusOf))
  await eventuallyAsync(async () => {
    const arriving = (await received(app, hash)).running
    return arriving.length === 2 && arriving.every(({ received: bytes }) => bytes === 5)
  })
  await eventuallyAsync(async () => (await readdir(path.join(app.disk, 'inbox'))).length === 2)
  const { running } = await received(app, hash)
  expect(running.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
    {
      id: expect.any(String),
      name: 'a.bin',
      guest: 'Mia',
      size: 100_000,
      received: 5,
      startedMs: expect.any(Number),
    },
    {
      id: expect.any(String),
      name: 'b.bin',
      guest: '',
      size: 100_000,
      received: 5,
      startedMs: expect.any(Number),
    },
  ])
  expect(await countOf(app)).toMatchObject({ runningFiles: 2, receivedFiles: 0 })
  const other = await share(app, '/inbox', { mode: 'upload-only' })
  const [joe, administrator] = [await app.signIn('joe'), await app.signIn('root')]
  const idOf = (name: string) => running.find((one) => one.name === name)?.id ?? ''
  expect(await end(joe, `/${hash}/${idOf('a.bin')}`)).toEqual([403, 'forbidden'])
  expect(await end(app, `/${other.hash}/${idOf('a.bin')}`)).toEqual([404, 'not-found'])
  expect(await end(app, `/${hash}/${idOf('a.bin')}`)).toEqual([200, null])
  expect(await end(administrator, `/${hash}/${idOf('b.bin')}`)).toEqual([200, null])
  expect(await statuses).toEqual([403, 403])
  expect(await end(app, `/${hash}/${idOf('a.bin')}`)).toEqual([404, 'not-found'])
  expect([await received(app, hash), await treeOf(app.disk)]).toEqual([
    { files: [], running: [], total: 0 },
    { inbox: {} },
  ])
})

/** Waits until an asynchronous condition holds. */
async function eventuallyAsync(condition: () => Promise<boolean>): Promise<void> {
  let holds = false
  let isChecking = false
  const check = async (): Promise<void> => {
    isChecking = true
    holds = await condition()
    isChecking = false
  }
  await eventually(() => {
    if (!isChecking && !holds) void check()
    return holds
  }, 15_000)
}
