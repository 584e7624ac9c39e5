import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ada, runServer, type RunningServer } from '../kit/run-server.ts'
import { eventually } from '../kit/start-http-server.ts'

/** Starts a server, and returns it with a function that starts another server on the same state and folder. */
async function startFirst() {
  const first = await runServer({ people: [ada] })
  onTestFinished(() => first.remove())
  const startSecond = async (): Promise<RunningServer> => {
    const state = path.dirname(first.database)
    const second = await runServer({ state, folder: first.folder, isSetUpElsewhere: true })
    onTestFinished(() => second.remove())
    return second
  }
  return { first, startSecond }
}

async function tokenOf({ url }: RunningServer): Promise<string> {
  const body = JSON.stringify({ username: ada.name, password: ada.password })
  return (await fetch(`${url}/api/login`, { method: 'POST', body })).text()
}

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
