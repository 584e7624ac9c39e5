import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ada, ann, runServer, type RunningServer } from '../kit/run-server.ts'
import { expectSharedLimits, logInAt } from '../kit/shared-limits.ts'
import { eventually } from '../kit/start-http-server.ts'

/** Starts a server, and returns it with a function that starts another server on the same state and folder. */
async function startFirst() {
  const first = await runServer({ people: [ada, ann], files: { 'a.txt': 'A' } })
  onTestFinished(() => first.remove())
  const startSecond = async (): Promise<RunningServer> => {
    const state = path.dirname(first.database)
    const second = await runServer({ state, folder: first.folder, isSetUpElsewhere: true })
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
  await eventually(() => stagedIn(folder) === 1, 10_000)
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
  'belongs to a user who gets a new password': ({ cli }) =>
    cli('users', 'update', ada.name, '--password', 'another long password'),
  'belongs to a user who is removed': ({ url, cli }, token) =>
    cli('users', 'update', ann.name, '--perm.admin').then(() =>
      fetch(`${url}/api/users/1`, { method: 'DELETE', headers: { 'x-auth': token } }),
    ),
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
