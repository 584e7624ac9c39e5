import { linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, ann, bea, runServer, type RunningServer } from '../kit/run-server.ts'
import {
  sendAsAnn,
  sendAndDisconnect,
  expectNoImpact,
  idOf,
  mebi,
  maxMs,
  sendConcurrently,
  targetOf,
  tokenOf,
  type AttackScenario,
  type AttackTarget,
} from './attack.ts'
import { measureAttack, statusOf } from './measure-attack.ts'

/**
 * In these tests, signed-in users attack a real server with expensive requests. The server runs in its own process. The
 * attacks must not affect other clients.
 */
let server: RunningServer
let target: AttackTarget

beforeAll(async () => {
  server = await runServer({
    people: [ada, ann, bea],
    files: {
      'a.txt': 'A',
      docs: {},
      'big.bin': '',
      'text.txt': 'T'.repeat(10 * mebi),
      'lines.srt': `1\n00:00:01,000 --> 00:00:02,000\nx\n${'\n'.repeat(9 * mebi)}`,
      'braces.ass': `[Events]\nFormat: Start, End, Text\nDialogue: 0:00:01.00,0:00:02.00,${'{'.repeat(9 * mebi)}`,
      images: {},
      many: {},
    },
    flags: ['--auth.trustedProxies=192.0.2.1', '--disableThumbnails=false'],
  })
  target = await targetOf(server)
  mkdirSync(path.join(server.folder, 'packed'))
  await truncate(path.join(server.folder, 'big.bin'), 64 * 1024 ** 3)
  linkSync(path.join(server.folder, 'big.bin'), path.join(server.folder, 'packed/big.bin'))
  const first = path.join(server.folder, 'many', `${'n'.repeat(200)}0`)
  writeFileSync(first, '')
  for (let n = 1; n < 30_000; n += 1)
    linkSync(first, path.join(server.folder, 'many', `${'n'.repeat(200)}${n}`))
  await putImages(path.join(server.folder, 'images'))
}, 120_000)
afterAll(() => server.remove())

const plainImage = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#123456' }, limitInputPixels: false })

/**
 * Writes small image files that would need gigabytes of memory to decode, because of their declared size or their
 * encoding.
 */
async function putImages(folder: string): Promise<void> {
  const bomb = await plainImage(9000, 12_000).png({ palette: true, compressionLevel: 9 }).toBuffer()
  const greedy = await plainImage(6000, 8000).jpeg({ progressive: true }).toBuffer()
  for (let n = 0; n < 4; n += 1) {
    // The files differ, because the server remembers images that are too large and does not decode the same image
    // again.
    writeFileSync(path.join(folder, `bomb${n}.png`), Buffer.concat([bomb, Buffer.from([n])]))
    writeFileSync(path.join(folder, `greedy${n}.jpg`), Buffer.concat([greedy, Buffer.from([n])]))
  }
}

const joinedList = (bytes: number, name: (n: number) => string): string => {
  const names: string[] = []
  for (let size = 0; size < bytes; size += (names.at(-1)?.length ?? 0) + 1) names.push(name(names.length))
  return names.join(',')
}

const attacks: readonly AttackScenario[] = [
  {
    name: 'lists of ten thousand files',
    statuses: [200, 429],
    attack: (target) => {
      const files = Array.from({ length: 9999 }, (_, n) => `name${n}`).join(',')
      return sendAndDisconnect(target, {
        line: `GET /api/raw/docs?files=${files}`,
        count: 30,
        durationMs: 3000,
      })
    },
  },
  {
    name: 'thousands of ranges',
    statuses: [400],
    attack: (target) => {
      const range = `bytes=${joinedList(200_000, (n) => `${n}-${n}`)}`
      return sendConcurrently(target, 30, () => ({ path: '/api/raw/text.txt', headers: { range } }))
    },
  },
  {
    name: 'archives whose clients do not read',
    statuses: [],
    attack: async (target) => {
      for (const algo of ['zip', 'tarbz2', 'tarxz'])
        await sendAndDisconnect(target, {
          line: `GET /api/raw/packed?algo=${algo}`,
          count: 20,
          durationMs: 700,
        })
      return []
    },
  },
  {
    name: 'checksums of a huge file',
    statuses: [],
    attack: async (target) => {
      await sendAndDisconnect(target, {
        line: 'GET /api/resources/big.bin?checksum=sha512',
        count: 60,
        durationMs: 1500,
      })
      return []
    },
  },
  {
    name: 'downloads whose clients do not read',
    statuses: [],
    attack: async (target) => {
      await sendAndDisconnect(target, { line: 'GET /api/raw/big.bin', count: 80, durationMs: 1500 })
      return []
    },
  },
  {
    name: 'searches for thousands of words',
    statuses: [],
    attack: async (target) => {
      const words = joinedList(200_000, (n) => `w${n}`).replaceAll(',', '+')
      await sendAndDisconnect(target, {
        line: `GET /api/search/?query=${words}`,
        count: 60,
        durationMs: 2000,
      })
      return []
    },
  },
  {
    name: 'listings of a large folder',
    statuses: [200],
    attack: (target) => sendConcurrently(target, 3, () => ({ path: '/api/resources/many' })),
  },
  {
    name: 'texts of 10 MiB',
    statuses: [200],
    attack: (target) => sendConcurrently(target, 8, () => ({ path: '/api/resources/text.txt' })),
  },
  {
    name: 'subtitle files without useful content',
    statuses: [200],
    attack: (target) =>
      sendConcurrently(target, 4, (n) => ({
        path: n % 4 === 0 ? '/api/subtitle/lines.srt' : '/api/subtitle/braces.ass',
      })),
  },
  {
    name: 'decompression bombs',
    statuses: [200, 413, 422],
    attack: (target) =>
      sendConcurrently(target, 8, (n) => ({
        path: `/api/preview/thumb/images/${n % 2 === 0 ? `bomb${n / 2}.png` : `greedy${(n - 1) / 2}.jpg`}`,
      })),
  },
]

test.each(attacks)('$name', (attack) => expectNoImpact(target, attack))

/** Stores regular expressions as rules for all users (`id` 0) or for one user. Returns the status of the response. */
async function storeRules(raws: readonly string[], id = 0): Promise<number> {
  const rules = raws.map((raw) => ({ regex: true, allow: false, path: '', regexp: { raw } }))
  const data = { id, rules }
  return statusOf(server, {
    path: id === 0 ? '/api/settings' : `/api/users/${id}`,
    method: 'PUT',
    headers: { 'x-auth': await tokenOf(server, ada) },
    body: JSON.stringify(id === 0 ? { rules } : { what: 'user', which: ['rules'], data }),
  })
}

const thousand = (raw: (n: number) => string): string[] => Array.from({ length: 1000 }, (_, n) => raw(n))

test.each([
  ['expensive expressions', thousand((n) => `${'(\\pL|\\pN)?'.repeat(12)}(a|aa)+${n}$`), 200],
  ['expressions that are long when they are expanded', thousand(() => 'a{1000}'.repeat(120)), 400],
  [
    'one such expression after many cheap ones',
    [...thousand((n) => `b{9}${n}`).slice(1), '((a{9}){9}){9}'.repeat(70)],
    400,
  ],
])('thousands of expressions in a request to store rules: %s', async (_case, raws, expected) => {
  const statuses: number[] = []
  const { slowestMs } = await measureAttack(server, async () => {
    for (const id of [0, idOf(target.token)]) statuses.push(await storeRules(raws, id))
    statuses.push(await sendAsAnn(target, { path: '/api/raw/a.txt' }))
  })
  for (const id of [0, idOf(target.token)]) expect(await storeRules([], id)).toBe(200)
  expect(statuses).toEqual([expected, expected, 200])
  expect(slowestMs).toBeLessThan(maxMs)
})

test('thousands of stored expressions, applied to a large folder', async () => {
  expect(await storeRules(thousand((n) => `(a|aa)+(b?){20}${n}$`))).toBe(200)
  const { slowestMs } = await measureAttack(server, () =>
    sendAndDisconnect(target, { line: 'GET /api/resources/many', count: 6, durationMs: 2500 }),
  )
  expect(await storeRules([])).toBe(200)
  expect(slowestMs).toBeLessThan(maxMs)
})
