import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { rm, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bcryptHash } from '../../../test/kit/bcrypt-hash.ts'
import { shareFields } from '../../../test/kit/records.ts'
import { share, guestStatuses, requestAsGuest } from '../../../test/kit/share.ts'
import { startApp } from '../../../test/kit/start-app.ts'
import type { PublicResource } from '../../shared/contract/shares.ts'
import type { Path } from '../../shared/domain/path.ts'

const files = {
  'private.txt': 'private',
  docs: {
    'a.txt': 'hello',
    'b.txt': 'bytes',
    '100%.txt': 'percent',
    'ä ö.txt': 'umlauts',
    sub: { 'c.txt': 'deep' },
    '.hidden': 'dots',
    secret: { 'd.txt': 'denied' },
  },
  docs2: { 'e.txt': 'sibling' },
}

const json = async (reply: Response) => (await reply.json()) as PublicResource

describe('a shared folder (golden case 14)', () => {
  test.each(['/docs', '/docs/'])('shared as %s shows itself and never its parent (T5)', async (requested) => {
    const app = await startApp({ files })
    const { hash } = await share(app, requested)
    const shown = await json(await requestAsGuest(app, 'share', hash))
    expect(new Set(shown.items?.map((item) => item.path))).toEqual(
      new Set(['/secret', '/sub', '/.hidden', '/100%.txt', '/a.txt', '/b.txt', '/ä ö.txt']),
    )
    expect(shown).toMatchObject({ path: '/', name: 'docs', isDir: true, numDirs: 2, numFiles: 5 })
    expect(shown.sorting).toEqual({ by: 'name', asc: false })
  })

  test('tells its end in a header, and a permanent one has no such header', async () => {
    const app = await startApp({ files })
    const { hash, expire } = await share(app, '/docs', { expires: '2', unit: 'days' })
    for (const at of [hash, `${hash}/sub`, `${hash}/a.txt`])
      expect((await requestAsGuest(app, 'share', at)).headers.get('x-share-expires')).toBe(String(expire))
    const permanent = await share(app, '/docs2')
    const shown = await requestAsGuest(app, 'share', permanent.hash)
    expect([shown.status, shown.headers.get('x-share-expires')]).toEqual([200, null])
  })

  test('reveals neither owner nor scope nor path', async () => {
    const app = await startApp({ files: { home: files }, user: { scope: '/home' } })
    const { hash } = await share(app, '/docs')
    const text = await (await requestAsGuest(app, 'share', `${hash}/sub`)).text()
    expect(Object.keys(JSON.parse(text) as object).toSorted()).toEqual(
      [
        'items',
        'numDirs',
        'numFiles',
        'sorting',
        'path',
        'name',
        'size',
        'extension',
        'modified',
        'mode',
        'isDir',
        'isSymlink',
        'type',
      ].toSorted(),
    )
    expect(text).not.toMatch(/docs|home|ann|token/)
  })

  test('describes and sends its files for every way in which clients write the address', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs/')
    const described = await json(await requestAsGuest(app, 'share', `${hash}/sub/c.txt`))
    expect(described).toMatchObject({ path: '/sub/c.txt', name: 'c.txt', type: 'text', size: 4 })
    expect(described).not.toHaveProperty('content')
    const bytes = async (rest: string) => (await requestAsGuest(app, 'dl', rest)).text()
    expect(await bytes(`${hash}/sub/c.txt`)).toBe('deep')
    expect(await bytes(`${hash}%2Fsub%2Fc.txt`)).toBe('deep')
    expect(await bytes(`${hash}%2F100%25.txt`)).toBe('percent')
    expect(await bytes(`${hash}/100%25.txt`)).toBe('percent')
    expect(await bytes(`${hash}/%C3%A4%20%C3%B6.txt`)).toBe('umlauts')
  })

  test('sends a file with its name, inline and in ranges', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs')
    const whole = await requestAsGuest(app, 'dl', `${hash}/b.txt`)
    expect(whole.headers.get('content-disposition')).toBe(
      `attachment; filename="b.txt"; filename*=utf-8''b.txt`,
    )
    expect(whole.headers.get('cache-control')).toBe('private, no-cache')
    const part = await requestAsGuest(app, 'dl', `${hash}/b.txt`, {
      query: '?inline=true',
      headers: { range: 'bytes=1-2' },
    })
    expect([part.status, await part.text()]).toEqual([206, 'yt'])
    expect(part.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test('answers HEAD like GET, without a body', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs')
    const head = await app.fetch(`/api/public/dl/${hash}/b.txt`, { method: 'HEAD', token: null })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '5', ''])
    expect(await app.rawStatus('HEAD', `/api/public/share/${hash}`)).toBe(200)
  })

  test('is sent as an archive with its own name, its content and nothing else', async () => {
    const app = await startApp({ files })
    await symlink('../private.txt', path.join(app.disk, 'docs/out'))
    const { hash } = await share(app, '/docs')
    const names = async (rest: string, query = '') => {
      const reply = await requestAsGuest(app, 'dl', rest, { query: `?algo=tar${query}` })
      const listed = execFileSync('tar', ['-t'], { input: Buffer.from(await reply.arrayBuffer()) })
      const [disposition = ''] = (reply.headers.get('content-disposition') ?? '').split(';').slice(1)
      return [
        disposition.trim(),
        listed
          .toString()
          .trim()
          .split('\n')
          .map((name) => name.replace(/\/$/, '')),
      ]
    }
    const [name, found] = await names(hash)
    expect(name).toBe('filename="docs.tar"')
    expect(found).toEqual(expect.arrayContaining(['a.txt', 'sub', 'sub/c.txt', 'secret/d.txt']))
    expect(found).not.toContain('out')
    expect(await names(`${hash}/sub`)).toEqual(['filename="sub.tar"', ['c.txt']])
    const chosen = await names(hash, '&files=a.txt,b.txt')
    expect(chosen).toEqual(['filename="_docs.tar"', ['a.txt', 'b.txt']])
  })
})

test('a shared file gives access to no other file, whatever path a guest requests below it', async () => {
  const app = await startApp({ files })
  const { hash } = await share(app, '/docs/a.txt')
  const described = {
    path: '',
    name: 'a.txt',
    size: 5,
    extension: '.txt',
    isDir: false,
    isSymlink: false,
    type: 'text',
  }
  expect(await json(await requestAsGuest(app, 'share', hash))).toMatchObject(described)
  expect(await json(await requestAsGuest(app, 'share', `${hash}/b.txt`))).toMatchObject(described)
  for (const rest of [hash, `${hash}/nice-name.txt`, `${hash}/b.txt`, `${hash}/sub/c.txt`])
    expect(await (await requestAsGuest(app, 'dl', rest)).text()).toBe('hello')
})

test('a whole scope can be shared; its name stays private', async () => {
  const app = await startApp({ files: { home: files }, user: { scope: 'home' } })
  const { hash, path: shared } = await share(app, '/')
  expect(shared).toBe('/')
  expect(await json(await requestAsGuest(app, 'share', hash))).toMatchObject({ path: '/', name: '' })
  expect(await (await requestAsGuest(app, 'dl', `${hash}/private.txt`)).text()).toBe('private')
})

const linksAndRules = async () => {
  const app = await startApp({ files, user: { hideDotfiles: true } })
  const user = await app.records.users.findByName('ann')
  const denied = { regex: false, allow: false, path: '/docs/secret', regexp: null }
  await app.records.users.update(user?.id ?? 0, { rules: [denied] })
  await symlink('../private.txt', path.join(app.disk, 'docs/out'))
  await symlink('../docs2', path.join(app.disk, 'docs/aside'))
  await symlink('sub', path.join(app.disk, 'docs/inside'))
  await symlink('secret', path.join(app.disk, 'docs/round'))
  await symlink('nothing', path.join(app.disk, 'docs/broken'))
  const { hash } = await share(app, '/docs')
  return { app, hash }
}

describe('a guest cannot leave the shared folder', () => {
  test.each([
    ['to an entry that a rule of the owner denies', 'secret', 403],
    ['to an entry below a denied one', 'secret/d.txt', 403],
    ['to a missing entry below a denied one', 'secret/nothing', 403],
    ['by a link to a denied entry', 'round/d.txt', 403],
    ['to an entry that the owner hides', '.hidden', 403],
    ['by a link out of the scope', 'out', 403],
    ['by a link to a sibling', 'aside/e.txt', 403],
    ['by a link to a missing entry of a sibling', 'aside/nothing', 403],
    ['by a broken link', 'broken', 404],
    ['to a missing entry', 'nothing.txt', 404],
    ['to a path below a file', 'a.txt/x', 404],
    ['to a sibling by name', 'docs2/e.txt', 404],
    ['to an entry of the parent', 'private.txt', 404],
    ['to the parent', '..%2Fprivate.txt', 400],
    ['to the parent, encoded', '%2e%2e%2Fprivate.txt', 400],
    ['to the parent, encoded twice', '%252e%252e/private.txt', 404],
    ['to a sibling by its path from above', 'sub/..%2f..%2fdocs2/e.txt', 400],
    ["to the server's own folder", '.stowage', 403],
  ])('%s', async (_case, rest, status) => {
    const { app, hash } = await linksAndRules()
    expect(await guestStatuses(app, `${hash}/${rest}`)).toEqual([status, status])
  })

  test('in the listing', async () => {
    const { app, hash } = await linksAndRules()
    const { items = [] } = await json(await requestAsGuest(app, 'share', hash))
    expect(items.map(({ name }) => name).toSorted()).toEqual(
      ['100%.txt', 'a.txt', 'b.txt', 'broken', 'inside', 'sub', 'ä ö.txt'].toSorted(),
    )
    expect(await (await requestAsGuest(app, 'dl', `${hash}/inside/c.txt`)).text()).toBe('deep')
  })

  test('with literal dot segments', async () => {
    const { app, hash } = await linksAndRules()
    for (const call of ['share', 'dl'])
      expect(await app.rawStatus('GET', `/api/public/${call}/${hash}/../private.txt`)).toBe(400)
  })

  test('to change anything', async () => {
    const { app, hash } = await linksAndRules()
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH'])
      expect(await app.rawStatus(method, `/api/public/dl/${hash}/a.txt`)).toBe(405)
  })
})

describe('a password', () => {
  const password = 'päss w%rd'
  const world = async (shared = '/docs') => {
    const app = await startApp({ files })
    const { hash, hasPassword } = await share(app, shared, { password })
    expect(hasPassword).toBe(true)
    return { app, hash }
  }
  const encoded = encodeURIComponent(password)

  test('is required: 401 without, 401 wrong, 200 right, and its token authorises downloads (golden case 14)', async () => {
    const { app, hash } = await world()
    expect((await requestAsGuest(app, 'share', hash)).status).toBe(401)
    expect((await requestAsGuest(app, 'share', hash, { password: '' })).status).toBe(401)
    expect((await requestAsGuest(app, 'share', hash, { password: 'wrong' })).status).toBe(401)
    const { token = '' } = await json(await requestAsGuest(app, 'share', hash, { password: encoded }))
    expect(token.length).toBeGreaterThanOrEqual(22)
    expect((await requestAsGuest(app, 'dl', `${hash}/a.txt`)).status).toBe(401)
    const reply = await requestAsGuest(app, 'dl', `${hash}%2Fa.txt`, { query: `?token=${token}` })
    expect([reply.status, await reply.text()]).toEqual([200, 'hello'])
    expect((await requestAsGuest(app, 'share', `${hash}/sub`, { query: `?token=${token}` })).status).toBe(200)
    expect((await requestAsGuest(app, 'dl', `${hash}/a.txt`, { query: `?token=${token}x` })).status).toBe(401)
  })

  test.each([false, true])(
    'gives a token that works for half a day, or for ever with the option: %s',
    async (isForEver) => {
      let nowMs = Date.now()
      const config = { permanentShareTokens: isForEver }
      const app = await startApp({ files, config, nowMs: () => nowMs })
      const { hash } = await share(app, '/docs', { password })
      const { token = '' } = await json(await requestAsGuest(app, 'share', hash, { password: encoded }))
      const [statuses, tokens]: [number[], unknown[]] = [[], []]
      for (const hours of [0, 12, 7, -24 * 365]) {
        nowMs += hours * 3_600_000
        statuses.push((await requestAsGuest(app, 'dl', `${hash}/a.txt`, { query: `?token=${token}` })).status)
        const again = await requestAsGuest(app, 'share', hash, { query: `?token=${token}` })
        tokens.push(again.status === 200 ? (await json(again)).token === token : null)
      }
      expect(statuses).toEqual(isForEver ? [200, 200, 200, 200] : [200, 200, 401, 401])
      expect(tokens).toEqual(isForEver ? [true, true, true, true] : [true, false, null, null])
    },
  )

  test('may be sent as it is or percent-encoded (A13)', async () => {
    const app = await startApp({ files })
    for (const [own, sent] of [
      ['100%25', '100%25'],
      ['100%', '100%25'],
      ['100%', '100%'],
      ['gr\u00fcn', 'gr\u00fcn'],
      ['gr\u00fcn', Buffer.from('gr\u00fcn').toString('latin1')],
    ]) {
      const { hash } = await share(app, '/docs', { password: own ?? '' })
      expect([own, (await requestAsGuest(app, 'share', hash, { password: sent ?? '' })).status]).toEqual([
        own,
        200,
      ])
    }
  })

  test('of one share opens no other share, nor does its token', async () => {
    const { app, hash } = await world()
    const { token = '' } = await json(await requestAsGuest(app, 'share', hash, { password: encoded }))
    const other = await share(app, '/docs2', { password })
    expect((await requestAsGuest(app, 'share', other.hash, { query: `?token=${token}` })).status).toBe(401)
  })

  test('keeps answers out of caches, and links out of search engines', async () => {
    const { app, hash } = await world()
    const shown = await requestAsGuest(app, 'share', hash, { password: encoded })
    const sent = await requestAsGuest(app, 'dl', `${hash}/a.txt`, { password: encoded })
    const packed = await requestAsGuest(app, 'dl', hash, { password: encoded })
    for (const reply of [shown, sent, packed]) {
      expect(reply.headers.get('cache-control')).toBe('private, no-store')
      expect(reply.headers.get('x-robots-tag')).toBe('noindex')
    }
    for (const reply of [
      await requestAsGuest(app, 'share', hash),
      await requestAsGuest(app, 'dl', 'nothing'),
      await requestAsGuest(app, 'dl', '%zz'),
    ])
      expect(reply.headers.get('x-robots-tag')).toBe('noindex')
  })

  test('may be wrong five times in a minute; then even the right one waits, but not for the other shares', async () => {
    const { app, hash } = await world()
    const other = await share(app, '/docs2', { password: 'other' })
    const { token = '' } = await json(await requestAsGuest(app, 'share', hash, { password: encoded }))
    for (let n = 0; n < 7; n += 1) {
      expect((await requestAsGuest(app, 'share', hash)).status).toBe(401)
      expect((await requestAsGuest(app, 'share', hash, { query: '?token=wrong' })).status).toBe(401)
    }
    const wrong = Array.from({ length: 7 }, () => requestAsGuest(app, 'share', hash, { password: 'wrong' }))
    const replies = await Promise.all(wrong)
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      401, 401, 401, 401, 401, 429, 429,
    ])
    const refused = await requestAsGuest(app, 'dl', `${hash}/a.txt`, { password: encoded })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
    expect((await requestAsGuest(app, 'share', hash, { query: `?token=${token}` })).status).toBe(200)
    expect((await requestAsGuest(app, 'share', other.hash, { password: 'other' })).status).toBe(200)
  })

  test('that is right resets the count', async () => {
    const { app, hash } = await world()
    const ask = async (sent: string) => (await requestAsGuest(app, 'share', hash, { password: sent })).status
    for (let n = 0; n < 4; n += 1) expect(await ask('wrong')).toBe(401)
    expect(await ask(encoded)).toBe(200)
    for (let n = 0; n < 5; n += 1) expect(await ask('wrong')).toBe(401)
    expect(await ask(encoded)).toBe(429)
  })

  test('that was taken over is checked with its old hash, and its old token stays valid', async () => {
    const app = await startApp({ files })
    const tokenDigest = createHash('sha256').update('old token').digest('base64url')
    await app.records.shares.add(
      shareFields({ hash: '6YwjY2II', userId: app.user.id, passwordHash: bcryptHash('pw'), tokenDigest }),
    )
    expect((await requestAsGuest(app, 'share', '6YwjY2II', { password: 'pw' })).status).toBe(200)
    expect(
      await (await requestAsGuest(app, 'dl', '6YwjY2II%2Fa.txt', { query: '?token=old%20token' })).text(),
    ).toBe('hello')
  })
})

test('after sixty unknown hashes in a minute the next one is 429 with the time to wait', async () => {
  const app = await startApp({ files })
  for (const rest of ['', '/', '?token=x'])
    expect((await requestAsGuest(app, 'share', rest)).status).toBe(404)
  for (let n = 0; n < 60; n += 1) expect((await requestAsGuest(app, 'share', `unknown${n}`)).status).toBe(404)
  const refused = await requestAsGuest(app, 'dl', 'unknown')
  expect([refused.status, refused.headers.has('retry-after')]).toEqual([429, true])
})

test('a login makes no difference on public addresses', async () => {
  const app = await startApp({ files, user: { perm: { admin: true } } })
  const { hash } = await share(app, '/docs', { password: 'pw' })
  expect((await app.call('public.show', { path: `/${hash}` })).status).toBe(401)
  expect((await app.call('public.show', { path: `/${hash}/../private.txt`.replace('/..', '') })).status).toBe(
    401,
  )
})

describe('a link works while its owner may share', () => {
  test.each(['share', 'download'] as const)('not while the owner lacks the permission %s', async (right) => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs')
    const perm = { ...app.user.perm, [right]: false }
    await app.records.users.update(app.user.id, { perm })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([403, 403])
    await app.records.users.update(app.user.id, { perm: app.user.perm })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([200, 200])
  })

  test('not while the owner is disabled, and not while a rule denies the entry', async () => {
    const app = await startApp({ files })
    const { hash } = await share(app, '/docs')
    const { hash: ofFile } = await share(app, '/docs/a.txt')
    await app.records.users.update(app.user.id, { isDisabled: true })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([403, 403])
    const rules = [{ regex: false, allow: false, path: '/docs', regexp: null }]
    await app.records.users.update(app.user.id, { isDisabled: false, rules })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([403, 403])
    expect(await guestStatuses(app, ofFile)).toEqual([403, 403])
    await app.records.users.update(app.user.id, {
      rules: [...rules, { regex: false, allow: true, path: '/docs/a.txt', regexp: null }],
    })
    expect(await guestStatuses(app, ofFile)).toEqual([200, 200])
    expect(await guestStatuses(app, `${ofFile}/b.txt`)).toEqual([200, 200])
    await app.records.users.update(app.user.id, { rules: [] })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([200, 200])
  })

  test('not after the owner is removed', async () => {
    const app = await startApp({ files, users: { ada: { perm: { admin: true } }, bea: {} } })
    const bea = await app.signIn('bea')
    const { hash } = await share(bea, '/docs')
    await app.records.users.remove(bea.user.id)
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([404, 404])
    expect(await app.records.shares.list()).toEqual([])
  })

  test("not after the owner's scope has changed, even when the new scope has an entry of that name", async () => {
    const app = await startApp({ files: { one: files, two: files }, user: { scope: 'one' } })
    const { hash } = await share(app, '/docs')
    await app.records.users.update(app.user.id, { scope: 'two' })
    expect(await guestStatuses(app, `${hash}/a.txt`)).toEqual([404, 404])
  })
})

describe('a link is not found when its path has', () => {
  test.each([
    ['a file in place of the folder', '/docs', (place: string) => replaceBy(place, 'file')],
    ['a link in place of the folder', '/docs', (place: string) => replaceBy(place, 'docs2')],
    ['a link in place of the file', '/docs/a.txt', (place: string) => replaceBy(place, 'b.txt')],
    ['no entry', '/docs', (place: string) => rm(place, { recursive: true })],
  ])('%s', async (_case, shared, change) => {
    const app = await startApp({ files })
    const { hash } = await share(app, shared)
    await change(path.join(app.disk, shared))
    expect(await guestStatuses(app, hash)).toEqual([404, 404])
  })
})

async function replaceBy(place: string, target: string): Promise<void> {
  await rm(place, { recursive: true })
  if (target === 'file') return writeFile(place, 'a file')
  await symlink(target, place)
}

test.each([
  ['expired', { expiresAtSeconds: 1 }, [404, 404]],
  ['not expired', { expiresAtSeconds: 4_000_000_000 }, [200, 200]],
  ['not yet available', { availableFromSeconds: 4_000_000_000 }, [404, 404]],
  ['available', { availableFromSeconds: 1 }, [200, 200]],
])('a share that is %s is answered accordingly', async (_case, terms, expected) => {
  const app = await startApp({ files })
  const file = { hash: '6YwjY2II', userId: app.user.id, path: '/docs/a.txt' as Path, kind: 'file' } as const
  await app.records.shares.add(shareFields({ ...file, ...terms }))
  expect(await guestStatuses(app, '6YwjY2II')).toEqual(expected)
})
