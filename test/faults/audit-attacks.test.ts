import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { auditEventBytes } from '../../src/shared/domain/limits/audit-limits.ts'
import { ada, ann, bundledProgram, runServer, type RunningServer } from '../kit/run-server.ts'
import { maxMs, mebi, tokenOf } from './attack.ts'
import { measureAttack, statusOf, type AttackRequest } from './measure-attack.ts'
import { loginStatus } from './requests.ts'

/**
 * In these tests, a guest and a user attack the audit log of a real server with requests of the maximum size, which arrive
 * from several addresses, because failures and visits are limited for each address. The server has a heap of 512 MB.
 */
let server: RunningServer
let annToken: string
let adaToken: string

beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  server = await runServer({
    people: [ada, ann],
    files: { docs: { 'a.txt': 'A' } },
    program: [node, '--max-old-space-size=512', ...program],
  })
  annToken = await tokenOf(server, ann)
  adaToken = await tokenOf(server, ada)
}, 120_000)
afterAll(() => server.remove())

/** The number of the requests of an attack that run concurrently. */
const concurrent = 10

async function sendMany(count: number, call: (n: number) => AttackRequest): Promise<ReadonlySet<number>> {
  const statuses = new Set<number>()
  const sendOneByOne = async (first: number): Promise<void> => {
    for (let n = first; n < count; n += concurrent)
      statuses.add(await statusOf(server, { ...call(n), from: `127.0.3.${1 + (n % 100)}` }))
  }
  await Promise.all(Array.from({ length: concurrent }, (_, n) => sendOneByOne(n)))
  return statuses
}

const readAsAda = async (path: string): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers: { 'x-auth': adaToken } })

/** Returns the sum of the sizes of all stored events, and the size of the largest. */
function storedSizes(): { readonly count: number; readonly total: number; readonly largest: number } {
  const database = new DatabaseSync(server.database, { readOnly: true })
  const size = 'octet_length(target) + octet_length(details)'
  const statement = `select count(*) as count, sum(${size}) as total, max(${size}) as largest from audit_event`
  const row = database.prepare(statement).get() as { count: number; total: number; largest: number }
  database.close()
  return row
}

/** Asserts that the log contains a new login, and that all events are within the limit, on pages and in an export. */
async function expectUsableLog(): Promise<void> {
  expect(await loginStatus(server, ann)).toBe(200)
  const reading = async (): Promise<void> => {
    const page = await readAsAda('/api/audit?limit=500')
    expect((await page.text()).length).toBeLessThan(mebi)
    for (const format of ['csv', 'jsonl']) {
      // The export itself is an event, which may be stored while the export is read.
      const { count } = storedSizes()
      const exported = await readAsAda(`/api/audit/export?format=${format}`)
      const lines = (await exported.text()).split('\n')
      expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(2 * auditEventBytes)
      expect(lines.length).toBeGreaterThan(count)
    }
    const logins = await readAsAda('/api/audit?action=login&user=ann&limit=1')
    expect(await logins.json()).toMatchObject({ events: [{ action: 'login', outcome: 'ok' }] })
  }
  const { slowestMs } = await measureAttack(server, reading)
  expect(slowestMs).toBeLessThan(maxMs)
  expect(storedSizes().largest).toBeLessThan(auditEventBytes)
}

test('a guest who requests a long list of names fills neither the memory nor the log', async () => {
  const sharing = { method: 'POST', body: '{}', headers: { 'x-auth': annToken } }
  const shared = await fetch(`${server.url}/api/share/docs/`, sharing)
  const { hash } = (await shared.json()) as { readonly hash: string }
  const name = 'n'.repeat(230_000)
  const attack = async () =>
    sendMany(150, (n) => ({ path: `/api/public/dl/${hash}/?algo=zip&files=${name}${n}` }))
  const { slowestMs, peakBytes } = await measureAttack(server, async () =>
    expect(await attack()).toEqual(new Set([200])),
  )
  expect(slowestMs).toBeLessThan(maxMs)
  expect(peakBytes).toBeLessThan(700 * mebi)
  await expectUsableLog()
  expect(storedSizes().total).toBeLessThan(2 * mebi)
})

test('a user who sends the longest names leaves the log readable', async () => {
  const body = JSON.stringify({
    folder: '/docs',
    names: Array.from({ length: 1000 }, (_, n) => 'n'.repeat(250) + n),
  })
  const headers = { 'x-auth': annToken, 'content-type': 'application/json' }
  const attack = async () =>
    sendMany(200, () => ({ path: '/api/archive/a.zip', method: 'PUT', body, headers }))
  const { slowestMs, peakBytes } = await measureAttack(server, async () =>
    expect(await attack()).toEqual(new Set([200, 409])),
  )
  expect(slowestMs).toBeLessThan(maxMs)
  expect(peakBytes).toBeLessThan(700 * mebi)
  await expectUsableLog()
  expect(storedSizes().total).toBeLessThan(4 * mebi)
})
