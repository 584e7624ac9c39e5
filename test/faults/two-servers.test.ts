import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ada, ann, runServer, type RunningServer, type ServerOptions } from '../kit/run-server.ts'
import { expectSharedLimits, logInAt } from '../kit/shared-limits.ts'
import { eventually } from '../kit/start-http-server.ts'

/** Starts a server, and returns it with a function that starts another server on the same state and folder. */
async function startFirst(flags: readonly string[] = []) {
  const first = await runServer({ people: [ada, ann], files: { 'a.txt': 'A' }, flags })
  onTestFinished(() => first.remove())
  const startSecond = async (more: ServerOptions = {}): Promise<RunningServer> => {
    const state = path.dirname(first.database)
    const second = await runServer({ state, folder: first.folder, isSetUpElsewhere: true, ...more })
    onTestFinished(() => second.remove())
    return second
  }
  return { first, startSecond }
}

const tokenOf = async (server: RunningServer): Promise<string> => (await logInAt(server)).text()

/** Starts to upload `slow.txt`, and returns when the server has a staged file for its first half. */
async function beginUpload({ url, folder }: RunningServer, token: string) {
  const upload = request(`${url}/api/resources/slow.txt?override=true`, {
    method: 'POST',
    headers: { 'x-auth': token, 'content-length': '8' },
  })
  const response = once(upload, 'response').then(([answer]) => answer as IncomingMessage)
  response.catch(() => {})
  upload.write('half')
  await eventually(() => stagedIn(folder) === 1)
  return { upload, response }
}

const stagedIn = (folder: string): number =>
  readdirSync(folder).filter((name) => name.endsWith('.stowage-part')).length

async function statusOf(
  upload: ClientRequest,
  response: Promise<IncomingMessage>,
): Promise<number | undefined> {
  upload.end('half')
  return (await response).statusCode
}

test('an upload to a server survives the starts, the stop and the kill of another server on the same state', async () => {
  const { first, startSecond } = await startFirst()
  const token = await tokenOf(first)
  const { upload, response } = await beginUpload(first, token)
  const second = await startSecond()
  expect(stagedIn(first.folder)).toBe(1)
  await second.stop('SIGKILL')
  await second.start()
  await second.stop()
  await second.start()
  expect(await statusOf(upload, response)).toBe(200)
  expect(readFileSync(path.join(first.folder, 'slow.txt'), 'utf8')).toBe('halfhalf')
  // A session of one server is a session of the other.
  const listed = await fetch(`${second.url}/api/resources/slow.txt`, { headers: { 'x-auth': token } })
  expect([listed.status, stagedIn(first.folder)]).toEqual([200, 0])
})

test('what a killed server has staged is removed at the next start, and not what another server has staged', async () => {
  const { first, startSecond } = await startFirst()
  const second = await startSecond()
  const token = await tokenOf(first)
  const lost = await beginUpload(second, token)
  lost.upload.on('error', () => {})
  await second.stop('SIGKILL')
  expect(stagedIn(first.folder)).toBe(1)
  await second.start()
  expect(stagedIn(first.folder)).toBe(0)
  const { upload, response } = await beginUpload(first, token)
  await second.stop('SIGKILL')
  await second.start()
  expect([stagedIn(first.folder), await statusOf(upload, response)]).toEqual([1, 200])
})

test('two servers accept the tickets of each other, and count failures together', async () => {
  const { first, startSecond } = await startFirst()
  await expectSharedLimits([first, await startSecond()])
})

/** Ways in which Ada ends her session, or in which it is ended, at a server. */
const endings: Readonly<Record<string, (server: RunningServer, token: string) => Promise<unknown>>> = {
  'is ended': ({ url }, token) =>
    fetch(`${url}/api/logout`, { method: 'POST', headers: { 'x-auth': token } }),
  'belongs to a user who gets a new password': (server) =>
    server.cli('users', 'update', ada.name, '--password', 'another long password'),
  'belongs to a user who is removed': (server, token) =>
    server
      .cli('users', 'update', ann.name, '--perm.admin')
      .then(() => fetch(`${server.url}/api/users/1`, { method: 'DELETE', headers: { 'x-auth': token } })),
}

test.each(Object.keys(endings))(
  'a session that %s at one server ends at the other one, with its running upload',
  async (ending) => {
    const { first, startSecond } = await startFirst()
    const second = await startSecond()
    const token = await tokenOf(first)
    const listing = () => fetch(`${second.url}/api/resources/`, { headers: { 'x-auth': token } })
    expect((await listing()).status).toBe(200)
    const { response } = await beginUpload(second, token)
    await endings[ending]?.(first, token)
    expect((await listing()).status).toBe(401)
    const outcome = await response.then(({ statusCode }) => statusCode).catch(() => 'cut off')
    expect([401, 'cut off']).toContain(outcome)
    await eventually(() => stagedIn(first.folder) === 0, 20_000)
  },
)

test.each([
  ['neither server', [], []],
  ['only the first server', ['--sharePort'], []],
  ['only the second server', [], ['--sharePort']],
])('a port is not shared when %s has the option', async (_case, flags, ofSecond) => {
  const { first, startSecond } = await startFirst(flags)
  const { port } = first
  await expect(startSecond({ port, flags: ofSecond })).rejects.toThrow(
    `the server ended with 1: stowage: port ${port} is in use\n`,
  )
  expect((await fetch(`${first.url}/health`)).status).toBe(200)
})

/**
 * Requests a listing again and again with some clients, until the returned function is called. It returns the statuses of the
 * responses, by their number. As HTTP allows it, a request whose connection breaks is sent a second time.
 */
function repeatRequests({ url }: RunningServer, token: string): () => Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const stop = new AbortController()
  const ask = async (): Promise<string> => {
    const response = await fetch(`${url}/api/resources/`, { headers: { 'x-auth': token } })
    await response.arrayBuffer()
    return String(response.status)
  }
  const clients = Array.from({ length: 4 }, async () => {
    while (!stop.signal.aborted) {
      const status = await ask()
        .catch(ask)
        .catch(() => 'cut off')
      counts[status] = (counts[status] ?? 0) + 1
    }
  })
  return async () => {
    stop.abort()
    await Promise.all(clients)
    return counts
  }
}

test('a server that shares its port is replaced while clients send requests and an upload runs', async () => {
  const { first, startSecond } = await startFirst(['--sharePort'])
  const token = await tokenOf(first)
  const finish = repeatRequests(first, token)
  const { upload, response } = await beginUpload(first, token)
  const second = await startSecond({ port: first.port, flags: ['--sharePort'] })
  const stopped = first.stop()
  expect(await statusOf(upload, response)).toBe(200)
  expect(await stopped).toBe(0)
  for (let n = 0; n < 20; n += 1)
    expect(
      (await fetch(`${second.url}/api/resources/slow.txt`, { headers: { 'x-auth': token } })).status,
    ).toBe(200)
  expect(Object.keys(await finish())).toEqual(['200'])
  expect(readFileSync(path.join(first.folder, 'slow.txt'), 'utf8')).toBe('halfhalf')
})
