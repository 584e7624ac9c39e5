import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { mkdirSync, readdirSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Overview } from '../../shared/contract/overview.ts'
import { captchaServer } from '../../../test/kit/captcha-server.ts'
import { startApp, type SignedInUser, type TestAppOptions } from '../../../test/kit/start-app.ts'

const dayMs = 24 * 3_600_000

/** An advisory as GitHub sends it, with more fields than are read. */
const listed = (id: string, ranges: readonly string[], more: object = {}) => ({
  ghsa_id: id,
  cve_id: null,
  summary: `The summary of ${id}`,
  severity: 'high',
  state: 'published',
  html_url: `https://example.org/advisories/${id}`,
  withdrawn_at: null,
  vulnerabilities: ranges.map((range) => ({
    package: { ecosystem: 'other', name: 'stowage' },
    vulnerable_version_range: range,
    patched_versions: '9.9.9',
  })),
  ...more,
})

/** Starts a server of advisories, whose response a test can replace. */
async function startList(first: unknown) {
  const answer = { status: 200, text: JSON.stringify(first) }
  const headers: IncomingHttpHeaders[] = []
  const service = await captchaServer((response, request) => {
    headers.push(request.headers)
    response
      .writeHead(answer.status, answer.status === 302 ? { location: '/elsewhere' } : {})
      .end(answer.text)
  })
  return { ...service, url: `${service.host}/list?per_page=100`, headers, answer }
}

const startWith = (advisories: string, options: TestAppOptions = {}) =>
  startApp({
    ...options,
    user: { perm: { admin: true } },
    config: { advisories, tokenExpirationTime: 7 * dayMs },
  })

const overviewOf = async (person: SignedInUser): Promise<Overview> =>
  (await (await person.call('overview.get')).json()) as Overview

/** Waits for the end of the first request. */
const whenChecked = (person: SignedInUser) =>
  expect.poll(async () => {
    const { advisories } = await overviewOf(person)
    return advisories?.checked !== null || advisories.isUnread
  })

const kindsOf = ({ concerns }: Overview) => concerns.map(({ kind }) => kind)

test('without an address nothing is requested, nothing is stored, and the overview says nothing', async () => {
  const origins = new Set<string>()
  const note = (message: unknown) =>
    void origins.add(String((message as { request: { origin: unknown } }).request.origin))
  subscribe('undici:request:create', note)
  onTestFinished(() => void unsubscribe('undici:request:create', note))
  const app = await startWith('')
  expect((await overviewOf(app)).advisories).toBeNull()
  expect([...origins]).toEqual([app.url])
  expect(readdirSync(app.state).filter((name) => name.includes('advisories'))).toEqual([])
})

test('advisories about this version are shown to administrators and written to the log', async () => {
  const list = await startList([
    listed('GHSA-1', ['< 0.0.1', '>= 0.1.0, < 9.9.9']),
    listed('GHSA-2', ['< 9.9.9'], { withdrawn_at: '2026-01-01T00:00:00Z' }),
    listed('GHSA-3', [], {
      summary: 'two\nlines\u202E',
      html_url: 'javascript:alert(1)',
      vulnerabilities: null,
    }),
  ])
  const app = await startWith(list.url)
  await whenChecked(app).toBe(true)
  const overview = await overviewOf(app)
  expect(overview.advisories).toEqual({
    checked: expect.stringMatching(/^\d{4}-/),
    isUnread: false,
    found: [
      { id: 'GHSA-1', summary: 'The summary of GHSA-1', url: 'https://example.org/advisories/GHSA-1' },
      { id: 'GHSA-3', summary: 'two lines ', url: null },
    ],
  })
  expect(kindsOf(overview)).toEqual(['known-vulnerability'])
  expect(app.lines).toContain(
    'Warning: version test has a known vulnerability: GHSA-1: The summary of GHSA-1',
  )
})

test('the file of a list with long texts and many ranges has at most 2 MiB', async () => {
  const many = Array.from({ length: 200_000 }, () => 0)
  const long = {
    summary: '\u20ac'.repeat(2000),
    html_url: `https://example.org/${'\u20ac'.repeat(1900)}`,
  }
  const list = await startList([
    listed('GHSA-1', [], { vulnerabilities: many }),
    ...Array.from({ length: 150 }, (_, index) => listed(`${index}`, ['\u20ac'.repeat(2000)], long)),
  ])
  const app = await startWith(list.url)
  await whenChecked(app).toBe(true)
  const { advisories } = await overviewOf(app)
  expect([advisories?.isUnread, advisories?.found.length]).toEqual([false, 100])
  const name = readdirSync(app.state).find((entry) => entry.endsWith('.advisories')) ?? ''
  expect(statSync(path.join(app.state, name)).size).toBeLessThan(2 * 1024 * 1024)
})

test('the request is the same for all servers', async () => {
  const list = await startList([])
  const app = await startWith(list.url)
  await whenChecked(app).toBe(true)
  expect(list.paths).toEqual(['GET /list?per_page=100'])
  expect(list.forms.map(String)).toEqual([''])
  expect(list.headers).toEqual([
    {
      host: new URL(list.url).host,
      connection: 'keep-alive',
      accept: 'application/json',
      'accept-language': '*',
      'accept-encoding': expect.any(String),
      'sec-fetch-mode': 'cors',
      'user-agent': 'stowage',
    },
  ])
})

test('the list is requested once a day, also by a server that is started again', async () => {
  let nowMs = Date.now()
  const list = await startList([])
  const app = await startWith(list.url, { nowMs: () => nowMs })
  await whenChecked(app).toBe(true)
  nowMs += dayMs - 1
  const second = await app.startPeer()
  expect((await overviewOf(second)).advisories?.checked).not.toBeNull()
  await second.close()
  expect(list.paths.length).toBe(1)
  nowMs += 1
  await app.startPeer()
  await expect.poll(() => list.paths.length).toBe(2)
})

test.each<readonly [string, number, string, string]>([
  ['another status', 500, '[]', 'the status is 500'],
  ['a redirect', 302, '', 'the status is 302'],
  ['no JSON', 200, 'advisories', 'it is no list of advisories'],
  ['another list', 200, '[{"id": 1}]', 'it is no list of advisories'],
  ['a response that is too long', 200, `[${' '.repeat(3 * 1024 * 1024)}]`, 'it is too long'],
])('%s is reported, and known vulnerabilities stay', async (_case, status, text, reason) => {
  let nowMs = Date.now()
  const list = await startList([listed('GHSA-1', ['< 9'])])
  const app = await startWith(list.url, { nowMs: () => nowMs })
  await whenChecked(app).toBe(true)
  Object.assign(list.answer, { status, text })
  nowMs += dayMs
  const later = await app.startPeer()
  await expect
    .poll(async () => kindsOf(await overviewOf(later)))
    .toEqual(['known-vulnerability', 'advisories-unread'])
  expect(app.lines).toContain(
    `Warning: the list of known vulnerabilities at ${list.url} could not be read: ${reason}`,
  )
  expect(list.paths.filter((path) => path.includes('elsewhere'))).toEqual([])
})

test('a list that nobody serves is reported, and the server works', async () => {
  const app = await startWith('http://127.0.0.1:1/list')
  await expect.poll(async () => kindsOf(await overviewOf(app))).toEqual(['advisories-unread'])
})

test('the kept list is a file of the server that is replaced when it is damaged', async () => {
  const list = await startList([])
  const app = await startWith(list.url)
  await whenChecked(app).toBe(true)
  const name = readdirSync(app.state).find((entry) => entry.endsWith('.advisories'))
  const file = path.join(app.state, name ?? '')
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  writeFileSync(file, '{"url":')
  await app.startPeer()
  await expect.poll(() => list.paths.length).toBe(2)
})

test('a file that cannot be written is told to administrators, until it can be', async () => {
  const list = await startList([])
  let nowMs = Date.now()
  const app = await startWith(list.url, { nowMs: () => nowMs })
  await whenChecked(app).toBe(true)
  const name = readdirSync(app.state).find((entry) => entry.endsWith('.advisories')) ?? ''
  const [file, next] = [path.join(app.state, name), path.join(app.state, `${name}.new`)]
  rmSync(file)
  mkdirSync(next)
  const faulty = await app.startPeer()
  await expect.poll(async () => kindsOf(await overviewOf(faulty))).toEqual(['advisories-unread'])
  expect((await overviewOf(faulty)).advisories).toEqual({ checked: null, isUnread: true, found: [] })
  expect(list.paths.length).toBe(1)
  rmdirSync(next)
  const mended = await app.startPeer()
  await whenChecked(mended).toBe(true)
  expect(kindsOf(await overviewOf(mended))).toEqual([])
})

test('a request that a stop has interrupted is sent again at the next start', async () => {
  let isAnswering = true
  const service = await captchaServer((response) => {
    if (isAnswering) response.end('[]')
  })
  let nowMs = Date.now()
  const app = await startWith(`${service.host}/list`, { nowMs: () => nowMs })
  await whenChecked(app).toBe(true)
  const name = readdirSync(app.state).find((entry) => entry.endsWith('.advisories')) ?? ''
  const interrupt = async (count: number) => {
    isAnswering = false
    const peer = await app.startPeer()
    await expect.poll(() => service.paths.length).toBe(count)
    await peer.close()
    isAnswering = true
  }
  nowMs += dayMs
  await interrupt(2)
  await interrupt(3)
  rmSync(path.join(app.state, name))
  await interrupt(4)
  const last = await app.startPeer()
  await expect.poll(() => service.paths.length).toBe(5)
  await whenChecked(last).toBe(true)
})
