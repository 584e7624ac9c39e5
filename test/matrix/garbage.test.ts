import * as fc from 'fast-check'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts'
import { errorStatus } from '../../src/shared/contract/errors.ts'
import { startApp, type TestApp, type SignedInUser } from '../kit/start-app.ts'
import { descriptionOf, type ReceivedResponse } from './description.ts'
import { requestTo, sharePassword, type GeneratedRequest } from './generated-requests.ts'
import { sendAsIs } from './send-as-is.ts'

const endpoints = await contractEndpoints()
const maxMs = 10_000

/** Sends a generated request. Returns the response, or a description of the error when no response arrived. */
function send(url: string, sent: GeneratedRequest, token: string): Promise<ReceivedResponse | string> {
  const authentication = sent.isSignedIn ? { 'x-auth': token } : {}
  const response = sendAsIs(url, { ...sent, headers: { ...authentication, ...sent.headers } })
  return response.catch((error: Error) => error.message)
}

/**
 * Returns the faults of a response, such as an unexpected 5xx status or a stack trace. No request may cause a fault.
 */
function faultsOf(response: ReceivedResponse | string, app: TestApp): string[] {
  if (typeof response === 'string') return [response]
  const { status, headers, text } = response
  const code = headers['x-error'] as keyof typeof errorStatus | undefined
  const responseText = `${JSON.stringify(headers)}\n${text}`
  return [
    ...(status >= 500 && ![501, 507].includes(status) ? [`${status}`] : []),
    ...(code !== undefined && errorStatus[code] !== status ? [`${code} with ${status}`] : []),
    ...(/\n\s+at |node:internal|\.ts:\d|Error: /.test(text) ? ['a stack'] : []),
    ...[app.disk, app.state, path.join(tmpdir(), 'stowage-')].filter((place) => responseText.includes(place)),
  ]
}

/**
 * Creates shares of a file and of a folder, each with and without a password. No generated request changes these
 * entries, so the shares exist until the end of the test.
 */
async function share(owner: SignedInUser): Promise<string[]> {
  const hashes: string[] = []
  for (const path of ['/kept', '/kept/a.txt']) {
    for (const json of [{}, { password: sharePassword }]) {
      const reply = await owner.call('shares.create', { path, json })
      hashes.push(((await reply.json()) as { readonly hash: string }).hash)
    }
  }
  return hashes
}

/** Creates upload-only shares of a folder of their own, with and without a password. */
async function shareForUploads(owner: SignedInUser): Promise<string[]> {
  const hashes: string[] = []
  for (const json of [{ mode: 'upload-only' }, { mode: 'upload-only', password: sharePassword }]) {
    const reply = await owner.call('shares.create', { path: '/inbox', json })
    hashes.push(((await reply.json()) as { readonly hash: string }).hash)
  }
  return hashes
}

/** Restores files and settings, because the generated requests change them. */
async function restoreFiles(app: TestApp): Promise<void> {
  const docs = path.join(app.disk, 'docs')
  await rm(docs, { recursive: true, force: true })
  await mkdir(path.join(docs, 'sub'), { recursive: true })
  await writeFile(path.join(docs, 'a.txt'), 'A')
  await writeFile(path.join(docs, 'b.txt'), 'B'.repeat(10_000))
}

test(
  'every generated request gets a described response without a server error, and the server keeps running',
  { timeout: 60_000 },
  async () => {
    const rules = [{ regex: false, allow: false, path: '/hidden', regexp: null }]
    const app = await startApp({
      files: {
        hidden: { 'a.txt': 'secret' },
        out: { link: tmpdir() },
        inbox: {},
        kept: { 'a.txt': 'shared', sub: { 'b.txt': 'shared' } },
      },
      users: { ada: { perm: { admin: true } }, joe: {} },
      settings: { rules },
    })
    const [ada, joe] = [await app.signIn('ada'), await app.signIn('joe')]
    const hashes = [...(await share(ada)), ...(await shareForUploads(ada))]
    const undescribed = await descriptionOf(app)
    const seen = new Map<string, Set<number>>()
    let count = 0
    const property = fc.asyncProperty(
      fc.oneof(...endpoints.map((endpoint) => requestTo(endpoint, hashes))),
      async (sent) => {
        if (count % 25 === 0) await restoreFiles(app)
        count += 1
        const { token } = senderOf(sent, { app, ada, joe })
        const response = await send(app.url, sent, token)
        expect([...faultsOf(response, app), ...undescribed(sent, response)]).toEqual([])
        const statuses = seen.get(sent.endpoint.route) ?? new Set()
        if (typeof response !== 'string') seen.set(sent.endpoint.route, statuses.add(response.status))
        expect((await fetch(`${app.url}/health`)).status).toBe(200)
      },
    )
    // On a slow machine, the requests that fit into the time limit may leave out a route.
    const oneForEach = endpoints.flatMap((endpoint) => fc.sample(requestTo(endpoint, hashes), 1))
    await fc.assert(property, {
      numRuns: 5000,
      interruptAfterTimeLimit: maxMs,
      examples: oneForEach.map((sent) => [sent]),
    })
    expect(app.lines.filter((line) => /: 500 /.test(line))).toEqual([])
    const toGuests = ['public.show', 'public.download'].flatMap((name) => [...(seen.get(name) ?? [])])
    expect(toGuests.some((status) => status === 200 || status === 401)).toBe(true)
    expect([...seen.keys()].toSorted()).toEqual(endpoints.map(({ route }) => route).toSorted())
  },
)

/**
 * Returns the user who sends a request. Requests that may end a session or delete an account are sent as Joe, because
 * the other users are needed until the end of the test.
 */
function senderOf(
  { endpoint, method }: GeneratedRequest,
  people: Readonly<Record<'app' | 'ada' | 'joe', SignedInUser>>,
) {
  const mayEnd = method !== 'GET' && /^(sessions|users)\./.test(endpoint.route)
  if (mayEnd) return people.joe
  return endpoint.audience === 'admin' ? people.ada : people.app
}
