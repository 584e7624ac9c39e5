import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  answerOf,
  ask,
  claimedAddress,
  openEvents,
  openRequest,
  visitorAddress,
  type Target,
} from './visitor.ts'

/** A running pair of proxy and server, as the checks need it. */
export type Trial = {
  /** The way through the proxy. */
  readonly target: Target
  /** The way to the server itself. */
  readonly direct: Target
  /** True when the proxy says who the visitor is. */
  readonly isForwardAuth: boolean
  /** Returns what the server has printed. */
  readonly log: () => string
  /** Returns how many bytes the server has written to files. */
  readonly writtenBytes: () => number
  /** Returns the largest memory that the proxy has used so far, in bytes. */
  readonly proxyBytes: () => number
}

/** Throws an error that names both values, unless they are equal. */
function expectEqual(title: string, found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)]
  if (one !== other) throw new Error(`${title}: ${one} instead of ${other}`)
}

export type SignedIn = { readonly token: string; readonly cookie: string }

export const ann = { username: 'ann', password: 'a long password' }

/** The page arrives, with and without a slash after the base path, and knows the base path. */
export async function opensPage({ target }: Trial): Promise<void> {
  const { pathname, origin } = new URL(target.url)
  const base = pathname === '/' ? '' : pathname
  const page = await ask(target, '/')
  expectEqual('the page', [page.status, page.headers['content-type']], [200, 'text/html; charset=utf-8'])
  expectEqual('the scripts of the page are below the base path', page.body.includes(`"${base}/static/`), true)
  if (base === '') return
  const bare = await ask({ ...target, url: origin }, base)
  const leads = bare.status === 200 || new URL(bare.headers.location ?? '', origin).href === `${target.url}/`
  expectEqual(`${base} leads to the page`, leads, true)
}

/** A wrong password is refused and logged with the address of the visitor. The right one gives a token and a cookie. */
export async function logsIn({ target, log }: Trial): Promise<SignedIn> {
  const { origin, protocol } = new URL(target.url)
  const logIn = (password: string) =>
    ask(target, '/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ ...ann, password }),
    })
  expectEqual('a wrong password', (await logIn('a wrong password')).status, 403)
  expectEqual(
    'the log has the address of the visitor',
    log().includes(`/api/login: 403 ${visitorAddress} `),
    true,
  )
  expectEqual('the log has the address that the visitor claims', log().includes(claimedAddress), false)
  return signedInBy(await logIn(ann.password), protocol === 'https:')
}

/** Takes the token and the cookie of a login. The cookie is for TLS alone where the visitor uses TLS. */
function signedInBy(answer: Awaited<ReturnType<typeof ask>>, isSecure: boolean): SignedIn {
  expectEqual('a login', answer.status, 200)
  const cookie = answer.headers['set-cookie']?.[0] ?? ''
  expectEqual('the cookie is for TLS alone', /; Secure/i.test(cookie), isSecure)
  return { token: answer.body.toString(), cookie: cookie.split(';', 1).join() }
}

const usernameOf = (token: string): string =>
  (
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
      user: { username: string }
    }
  ).user.username

/** The proxy lets nobody in whom it does not know, says who the others are, and takes no name from the visitor. */
export async function logsInByProxy({ target }: Trial): Promise<SignedIn> {
  const { origin } = new URL(target.url)
  const claim = { 'remote-user': 'ada', origin }
  const stranger = { ...target, headers: {} }
  const login = { method: 'POST', headers: claim }
  const refused = [await ask(stranger, '/'), await ask(stranger, '/api/login', login)].map(
    ({ status }) => status,
  )
  if (!refused.every((status) => status === 401 || status === 302))
    throw new Error(`a stranger gets ${refused.join()}`)
  const answer = await ask(target, '/api/login', login)
  const signedIn = signedInBy(answer, true)
  expectEqual('the user whom the proxy names', usernameOf(signedIn.token), 'ann')
  const headers = { 'x-auth': signedIn.token, 'content-type': 'application/json' }
  await ask(target, '/api/resources/shared.txt', { method: 'POST', headers, body: 'for guests' })
  const share = await ask(target, '/api/share/shared.txt', { method: 'POST', headers, body: '{}' })
  const { hash } = JSON.parse(share.body.toString()) as { hash: string }
  const guest = await ask(stranger, `/api/public/dl/${hash}`, { headers: claim })
  expectEqual('a guest with a link', [guest.status, guest.body.toString()], [200, 'for guests'])
  const opened = await ask(stranger, `/share/${hash}`)
  expectEqual('the page of a link', opened.status, 200)
  const trick = await ask(stranger, '/share/../api/login', login)
  expectEqual(
    'a login by way of the pages for guests',
    /^[\w-]+\.[\w-]+\.[\w-]+$/.test(trick.body.toString()),
    false,
  )
  return signedIn
}

const names = [
  'a%2Fb',
  '#?&+;=.txt',
  '\u{1F980} crab.txt',
  'a\\b',
  '100 %',
  'e\u0301',
  '%00',
  '~tilde!$\'()*,:@"<>|',
  '...',
  '..b',
]

/** Files whose names contain what proxies like to change are stored, listed, read and removed under exactly these names. */
export async function keepsNames({ target, direct }: Trial, { token }: SignedIn): Promise<void> {
  const headers = { 'x-auth': token }
  for (const name of names) {
    const path = `/api/resources/odd/${encodeURIComponent(name)}`
    expectEqual(
      `a file ${name}`,
      (await ask(target, path, { method: 'POST', headers, body: name })).status,
      200,
    )
    const { status, body } = await ask(target, `/api/raw/odd/${encodeURIComponent(name)}`, { headers })
    expectEqual(`the content of ${name}`, [status, body.toString()], [200, name])
  }
  const listing = await ask(target, '/api/resources/odd/', { headers })
  const { items } = JSON.parse(listing.body.toString()) as { items: readonly { name: string }[] }
  expectEqual('the listing', items.map(({ name }) => name).toSorted(), names.toSorted())
  for (const path of [
    'odd%2Fa',
    'odd/a%2Fb',
    '%2e%2e%2fodd',
    'odd%5Ca',
    'odd/%252e%252e',
    'odd//100%20%25',
  ]) {
    const [through, past] = await Promise.all(
      [target, direct].map((way) => ask(way, `/api/raw/${path}`, { headers })),
    )
    expectEqual(
      `/api/raw/${path}`,
      [through?.status, through?.body.toString()],
      [past?.status, past?.body.toString()],
    )
  }
  for (const name of names) {
    const path = `/api/resources/odd/${encodeURIComponent(name)}`
    expectEqual(`a removal of ${name}`, (await ask(target, path, { method: 'DELETE', headers })).status, 200)
  }
}

/** A path of almost 4096 bytes, of which each is escaped, arrives. */
export async function takesLongPaths({ target }: Trial, { token }: SignedIn): Promise<void> {
  const headers = { 'x-auth': token }
  const folder = Array.from({ length: 20 }, () => encodeURIComponent('\u{1F980}'.repeat(50))).join('/')
  const created = await ask(target, `/api/resources/${folder}/`, { method: 'POST', headers })
  expectEqual('a long path', created.status, 200)
  const destination = encodeURIComponent(`/${decodeURIComponent(folder)}-moved`)
  const moved = await ask(target, `/api/resources/${folder}?action=rename&destination=${destination}`, {
    method: 'PATCH',
    headers,
  })
  expectEqual('a move between two long paths', moved.status, 200)
}

const mib = 1024 * 1024
const uploadBytes = 200 * mib

/**
 * An upload of 200 MiB reaches the server while it is sent, and the proxy keeps it neither on disk nor in memory. The same
 * holds for the download. A range of it is only this range.
 */
export async function streams(trial: Trial, { token }: SignedIn): Promise<string> {
  const { target, direct, writtenBytes, proxyBytes } = trial
  const headers = { 'x-auth': token }
  const [before, memoryBefore, startMs] = [writtenBytes(), proxyBytes(), performance.now()]
  const part = Buffer.alloc(mib, 'stowage ')
  const hash = createHash('sha256')
  const request = openRequest(target, '/api/resources/large.bin', {
    method: 'POST',
    headers: { ...headers, 'content-length': String(uploadBytes) },
  })
  const answer = answerOf(request)
  // A failure is reported below, and may come before that.
  answer.catch(() => undefined)
  for (let sent = 0; sent < uploadBytes; sent += mib) {
    part.writeUInt32BE(sent, 0)
    hash.update(part)
    if (!request.write(Buffer.from(part))) await Promise.race([once(request, 'drain'), answer])
    if (sent === uploadBytes / 2)
      await untilTrue('half of the upload', () => writtenBytes() - before > 80 * mib)
  }
  request.end()
  expectEqual('an upload of 200 MiB', (await answer).status, 200)
  const uploadMs = performance.now() - startMs
  const download = await ask(target, '/api/raw/large.bin', { headers })
  expectEqual('its bytes', createHash('sha256').update(download.body).digest('hex'), hash.digest('hex'))
  const ranged = await ask(target, '/api/raw/large.bin', {
    headers: { ...headers, range: 'bytes=1048570-1048580' },
  })
  expectEqual(
    'a range',
    [ranged.status, ranged.headers['content-range'], ranged.body.length],
    [206, `bytes 1048570-1048580/${uploadBytes}`, 11],
  )
  expectEqual('the bytes of the range', ranged.body.equals(download.body.subarray(1048570, 1048581)), true)
  const { headers: past } = await ask(direct, '/api/raw/large.bin', { method: 'HEAD', headers })
  expectEqual('the ETag', ranged.headers.etag, past.etag)
  const unchanged = await ask(target, '/api/raw/large.bin', {
    headers: { ...headers, 'if-none-match': past.etag ?? '' },
  })
  expectEqual('an unchanged file', unchanged.status, 304)
  await ask(target, '/api/resources/large.bin', { method: 'DELETE', headers })
  const grown = Math.round((proxyBytes() - memoryBefore) / mib)
  if (grown > 64) throw new Error(`the proxy keeps the transfers in memory: ${grown} MiB more`)
  const peak = Math.round(proxyBytes() / mib)
  return `200 MiB up in ${(uploadMs / 1000).toFixed(1)} s, memory of the proxy at most ${peak} MiB`
}

async function untilTrue(title: string, isTrue: () => boolean): Promise<void> {
  for (let attempts = 0; attempts < 100; attempts += 1) {
    if (isTrue()) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${title} has not reached the server after 10 seconds`)
}

/** An upload of unknown length arrives. Programs such as curl send one from a pipe. */
export async function takesChunks({ target }: Trial, { token }: SignedIn): Promise<void> {
  const headers = { 'x-auth': token, 'transfer-encoding': 'chunked' }
  const request = openRequest(target, '/api/resources/chunks.txt', { method: 'POST', headers })
  request.write('one ')
  request.end('two')
  expectEqual('an upload of unknown length', (await answerOf(request)).status, 200)
  const { body } = await ask(target, '/api/raw/chunks.txt', { headers: { 'x-auth': token } })
  expectEqual('its content', body.toString(), 'one two')
}

/** The socket of changes opens with the cookie of the page, and reports a change. */
export async function reportsChanges({ target }: Trial, { token, cookie }: SignedIn): Promise<void> {
  const socket = await openEvents(target, cookie)
  const reported = new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no change has been reported after 10 seconds')), 10_000)
    socket.on('message', (text: Buffer) => {
      const { path } = JSON.parse(text.toString()) as { path?: string }
      if (path === undefined) return
      clearTimeout(timer)
      resolve(path)
    })
  })
  socket.send(JSON.stringify({ watch: ['/'], resume: null }))
  socket.ping()
  await once(socket, 'pong')
  await ask(target, '/api/resources/live.txt', { method: 'POST', headers: { 'x-auth': token }, body: 'live' })
  expectEqual('the change', await reported, '/live.txt')
  socket.close()
  await once(socket, 'close')
}
