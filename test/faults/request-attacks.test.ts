import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, test } from 'vitest'
import { WebSocket } from 'ws'
import { ann, bea, runServer } from '../kit/run-server.ts'
import {
  attackersOf,
  expectUnfelt,
  headed,
  idOf,
  mebi,
  storm,
  targetOf,
  type Attack,
  type AttackTarget,
} from './attack.ts'
import { after, elsewhere, endAll, type Attacker } from './siege.ts'

/**
 * Attacks with the content of requests by signed-in users, on a real server in its own process. The attacks must not
 * affect other clients.
 */
let target: AttackTarget
beforeAll(async () => {
  target = await targetOf(
    await runServer({
      people: [ann, bea],
      files: { 'a.txt': 'A', docs: {} },
      flags: ['--auth.trustedProxies=192.0.2.1'],
    }),
  )
})
afterAll(() => target.server.remove())

/** Sends `text` on each connection repeatedly for `forMs`, as fast as the server reads it. */
async function pump(attackers: readonly Attacker[], text: string, forMs: number): Promise<void> {
  for (const startedAt = Date.now(); Date.now() - startedAt < forMs; await after(20))
    for (const { socket } of attackers)
      if (socket.writable && socket.writableLength < mebi) socket.write(text, 'latin1')
}

const attacks: readonly Attack[] = [
  {
    name: 'uploads that dribble',
    statuses: [],
    async attack(target) {
      const attackers = attackersOf(target, 80, (n) =>
        headed(target, `POST /api/resources/dribble${n}.bin`, 'Content-Length: 1000000\r\n'),
      )
      await pump(attackers, 'x', 1500)
      endAll(attackers)
      return []
    },
  },
  {
    name: 'uploads in chunks of one byte',
    statuses: [],
    async attack(target) {
      const attackers = attackersOf(target, 8, (n) =>
        headed(target, `POST /api/resources/tiny${n}.bin`, 'Transfer-Encoding: chunked\r\n'),
      )
      await pump(attackers, '1\r\nx\r\n'.repeat(20_000), 1500)
      endAll(attackers)
      return []
    },
  },
  {
    name: 'bodies in chunks of one byte that nobody wants, and many new connections',
    statuses: [404],
    async attack(target) {
      const attackers = attackersOf(target, 8, () =>
        headed(target, 'POST /api/nothing', 'Transfer-Encoding: chunked\r\n'),
      )
      await pump(attackers, '1\r\nx\r\n'.repeat(20_000), 500)
      const statuses = await storm(target, 20, () => ({ path: '/api/nothing' }))
      endAll(attackers)
      return statuses
    },
  },
  {
    name: 'requests far ahead of their answers',
    statuses: [],
    async attack(target) {
      for (let wave = 0; wave < 4; wave += 1) {
        const attackers = attackersOf(target, 60, () => headed(target, 'GET /api/resources/docs').repeat(800))
        await after(400)
        endAll(attackers)
      }
      return []
    },
  },
  {
    name: 'bodies that unpack to gigabytes',
    statuses: [415],
    attack: (target) => {
      const body = gzipSync(Buffer.alloc(8 * mebi))
      const headers = { 'content-encoding': 'gzip' }
      return storm(target, 20, () => ({ path: '/api/login', method: 'POST', body, headers }))
    },
  },
  {
    name: 'JSON of nothing but keys',
    statuses: [200],
    attack: (target) => {
      const keys = Array.from({ length: 30_000 }, (_, n) => `"k${n}":[{}]`).join(',')
      const id = idOf(target.token)
      const body = `{"what":"user","which":["singleClick"],"data":{"id":${id},${keys}}}`
      return storm(target, 10, () => ({ path: `/api/users/${id}`, method: 'PUT', body }))
    },
  },
  {
    name: 'cookies by the thousand',
    statuses: [401],
    attack: (target) => {
      const cookie = Array.from({ length: 20_000 }, (_, n) => `auth=${n}`).join('; ')
      return storm(target, 20, () => ({ path: '/api/resources/', headers: { cookie, 'x-auth': '' } }))
    },
  },
  {
    name: 'paths of a hundred thousand names',
    statuses: [400],
    attack: (target) => storm(target, 20, () => ({ path: `/api/resources${'/%41'.repeat(60_000)}` })),
  },
  {
    name: 'queries of a hundred thousand keys',
    statuses: [200],
    attack: (target) => {
      const query = Array.from({ length: 30_000 }, (_, n) => `k${n}`).join('&')
      return storm(target, 20, () => ({ path: `/api/resources/docs?${query}` }))
    },
  },
  {
    name: 'sockets that shout',
    statuses: [],
    attack: async (target) => {
      const sockets = Array.from({ length: 60 }, () => {
        const url = `${target.server.url.replace('http', 'ws')}/api/events`
        const socket = new WebSocket(url, { headers: { 'x-auth': target.token }, localAddress: elsewhere })
        const shout = () => {
          for (let n = 0; n < 50 && socket.readyState === WebSocket.OPEN; n += 1)
            socket.send('x'.repeat(8000))
        }
        const timer = setInterval(shout, 20)
        socket.on('error', () => undefined).on('close', () => clearInterval(timer))
        return socket
      })
      await after(1500)
      for (const socket of sockets) socket.terminate()
      return []
    },
  },
  {
    name: 'links that nobody has',
    statuses: [404, 429],
    attack: (target) =>
      storm(target, 90, (n) => ({ path: `/api/public/share/unknown${n}`, headers: { 'x-auth': '' } })),
  },
]

test.each(attacks)('$name', (attack) => expectUnfelt(target, attack))
