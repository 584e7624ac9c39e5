import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ShareResource } from '../../src/shared/contract/shares.ts'
import { encodePath, pathOf, root, type Path } from '../../src/shared/domain/path.ts'
import { openRecords } from '../../src/server/records/open-records.ts'
import { sharesPerUser } from '../../src/server/records/shares.ts'
import { shareFields } from '../kit/records.ts'
import { ann, bea, bundledProgram, runServer } from '../kit/run-server.ts'
import { idOf, maxMs, mebi, sendAsAnn, targetOf, type AttackTarget } from './attack.ts'
import { measureAttack, statusOf } from './measure-attack.ts'

/** A user who has as many links as the server stores, on a server that may use 512 MB for its objects. */
let target: AttackTarget

/** A path of almost the maximum length. Each of its characters takes three in the database. */
const longPath = (n: number): Path => pathOf(`/long${`/${'%'.repeat(250)}`.repeat(15)}/${n}`) ?? root
const count = sharesPerUser
const half = count / 2

beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  const server = await runServer({
    people: [ann, bea],
    files: { 'a.txt': 'A', docs: {}, short: { inner: {} } },
    program: [node, '--max-old-space-size=512', ...program],
  })
  target = await targetOf(server)
  const records = await openRecords({ database: server.database, nowMs: Date.now })
  const userId = idOf(target.token)
  await records.shares.addAll(
    Array.from({ length: count }, (_, n) =>
      shareFields({
        userId,
        hash: `hash ${n}`,
        path: n < half ? longPath(n) : (pathOf(`/short/${n}`) ?? root),
      }),
    ),
  )
  await records.close()
}, 60_000)
afterAll(() => target.server.remove())

const ordinary = (): Parameters<typeof measureAttack>[2] => ({
  path: '/api/resources/docs',
  headers: { 'x-auth': target.beaToken },
})

test(
  'lists of ten thousand links with long paths delay nobody, and are complete',
  { timeout: 60_000 },
  async () => {
    const { server, token } = target
    const pid = server.pid()
    const lists: number[] = []
    const list = async (): Promise<void> => {
      const response = await fetch(`${server.url}/api/shares`, { headers: { 'x-auth': token } })
      lists.push(((await response.json()) as ShareResource[]).length)
    }
    const { slowestMs, medianMs, peakBytes } = await measureAttack(
      server,
      () => Promise.all(Array.from({ length: 8 }, list)),
      ordinary(),
    )
    expect(lists).toEqual(Array.from({ length: 8 }, () => count))
    expect(server.pid()).toBe(pid)
    expect(peakBytes).toBeLessThan(768 * mebi)
    expect(slowestMs).toBeLessThan(maxMs)
    expect(medianMs).toBeLessThan(maxMs)
  },
)

/** Removes the links with long paths, of which only an import can add so many. */
async function removeLongPaths(): Promise<void> {
  const records = await openRecords({ database: target.server.database, nowMs: Date.now })
  await records.shares.endWithin(pathOf('/long') ?? root)
  await records.close()
}

test('moves of a folder with thousands of shared entries delay nobody', { timeout: 60_000 }, async () => {
  await removeLongPaths()
  const { slowestMs, medianMs } = await measureAttack(
    target.server,
    async () => {
      for (const [from, to] of [
        ['short', 'moved'],
        ['moved', 'short'],
      ]) {
        const destination = encodeURIComponent(encodePath(pathOf(`/${to}`) ?? root))
        const path = `/api/resources/${from}?action=rename&destination=${destination}`
        expect(await sendAsAnn(target, { method: 'PATCH', path })).toBe(200)
      }
    },
    ordinary(),
  )
  expect(slowestMs).toBeLessThan(maxMs)
  expect(medianMs).toBeLessThan(maxMs)
})

/** Runs a task again and again in 50 loops, until it has run `count` times. */
async function repeat(total: number, task: (n: number) => Promise<void>): Promise<void> {
  let begun = 0
  const loop = async (): Promise<void> => {
    while (begun < total) await task((begun += 1))
  }
  await Promise.all(Array.from({ length: 50 }, loop))
}

test(
  'thousands of visits and of downloads beyond a limit delay nobody, and the limit holds',
  { timeout: 60_000 },
  async () => {
    await removeLongPaths()
    const { server, token } = target
    const create = async (terms: object): Promise<string> => {
      const headers = { 'x-auth': token }
      const body = JSON.stringify(terms)
      const response = await fetch(`${server.url}/api/share/a.txt`, { method: 'POST', headers, body })
      return ((await response.json()) as ShareResource).hash
    }
    const limited = await create({ maxDownloads: 100, alias: 'under-attack' })
    const unlimited = await create({})
    const statuses: number[] = []
    const { slowestMs, medianMs } = await measureAttack(
      server,
      () =>
        repeat(3000, async (n) => {
          const address = n % 2 === 0 ? 'under-attack' : limited
          const [status] = await Promise.all([
            statusOf(server, { path: `/api/public/dl/${address}` }),
            statusOf(server, { path: `/api/public/share/${unlimited}` }),
          ])
          statuses.push(status)
        }),
      ordinary(),
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(100)
    expect(statuses.filter((status) => status === 403)).toHaveLength(2900)
    expect(slowestMs).toBeLessThan(maxMs)
    expect(medianMs).toBeLessThan(maxMs)
  },
)

test('guesses of aliases are refused after sixty, and delay nobody', { timeout: 60_000 }, async () => {
  const { server } = target
  const statuses: number[] = []
  const { slowestMs } = await measureAttack(
    server,
    () =>
      repeat(3000, async (n) => {
        statuses.push(await statusOf(server, { path: `/api/public/share/guessed-${n}-alias` }))
      }),
    ordinary(),
  )
  expect(statuses.filter((status) => status === 404)).toHaveLength(60)
  expect(statuses.filter((status) => status === 429)).toHaveLength(2940)
  expect(slowestMs).toBeLessThan(maxMs)
})
