import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, test } from 'vitest'
import { WebSocket } from 'ws'
import { ann, bea, runServer } from '../kit/run-server.ts'
import {
  openAttackers,
  expectNoImpact,
  requestHead,
  idOf,
  mebi,
  sendConcurrently,
  targetOf,
  type AttackScenario,
  type AttackTarget,
} from './attack.ts'
import { delay, attackerAddress, closeAll, type AttackerConnection } from './measure-attack.ts'

/**
 * In these tests, signed-in users attack a real server with the content of their requests. The server runs in its own
 * process. The attacks must not affect other clients.
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

/** Sends `text` on each connection repeatedly for `durationMs`, as fast as the server reads it. */
async function sendContinuously(
  attackers: readonly AttackerConnection[],
  text: string,
  durationMs: number,
): Promise<void> {
  for (const startedAt = Date.now(); Date.now() - startedAt < durationMs; await delay(20))
    for (const { socket } of attackers)
      if (socket.writable && socket.writableLength < mebi) socket.write(text, 'latin1')
}

const attacks: readonly AttackScenario[] = [
  {
    name: 'very slow uploads',
    statuses: [],
    async attack(target) {
      const attackers = openAttackers(target, 80, (n) =>
        requestHead(target, `POST /api/resources/dribble${n}.bin`, 'Content-Length: 1000000\r\n'),
      )
      await sendContinuously(attackers, 'x', 1500)
      closeAll(attackers)
      return []
    },
  },
  {
    name: 'uploads in chunks of one byte',
    statuses: [],
    async attack(target) {
      const attackers = openAttackers(target, 8, (n) =>
        requestHead(target, `POST /api/resources/tiny${n}.bin`, 'Transfer-Encoding: chunked\r\n'),
      )
      await sendContinuously(attackers, '1\r\nx\r\n'.repeat(20_000), 1500)
      closeAll(attackers)
      return []
    },
  },
  {
    name: 'refused bodies in chunks of one byte, and many new connections',
    statuses: [404],
    async attack(target) {
      const attackers = openAttackers(target, 8, () =>
        requestHead(target, 'POST /api/nothing', 'Transfer-Encoding: chunked\r\n'),
      )
      await sendContinuously(attackers, '1\r\nx\r\n'.repeat(20_000), 500)
      const statuses = await sendConcurrently(target, 20, () => ({ path: '/api/nothing' }))
      closeAll(attackers)
      return statuses
    },
  },
  {
    name: 'many pipelined requests',
    statuses: [],
    async attack(target) {
      for (let wave = 0; wave < 4; wave += 1) {
        const attackers = openAttackers(target, 60, () =>
          requestHead(target, 'GET /api/resources/docs').repeat(800),
        )
        await delay(400)
        closeAll(attackers)
      }
      return []
    },
  },
  {
    name: 'compressed bodies that expand to gigabytes',
    statuses: [415],
    attack: (target) => {
      const body = gzipSync(Buffer.alloc(8 * mebi))
      const headers = { 'content-encoding': 'gzip' }
      return sendConcurrently(target, 20, () => ({ path: '/api/login', method: 'POST', body, headers }))
    },
  },
  {
    name: 'JSON with tens of thousands of keys',
    statuses: [400],
    attack: (target) => {
      const keys = Array.from({ length: 30_000 }, (_, n) => `"k${n}":[{}]`).join(',')
      const id = idOf(target.token)
      const body = `{"what":"user","which":["singleClick"],"data":{"id":${id},${keys}}}`
      return sendConcurrently(target, 10, () => ({ path: `/api/users/${id}`, method: 'PUT', body }))
    },
  },
  {
    name: 'thousands of cookies',
    statuses: [400],
    attack: (target) => {
      const cookie = Array.from({ length: 20_000 }, (_, n) => `auth=${n}`).join('; ')
      return sendConcurrently(target, 20, () => ({
        path: '/api/resources/',
        headers: { cookie, 'x-auth': '' },
      }))
    },
  },
  {
    name: 'paths of 60,000 segments',
    statuses: [400],
    attack: (target) =>
      sendConcurrently(target, 20, () => ({ path: `/api/resources${'/%41'.repeat(60_000)}` })),
  },
  {
    name: 'queries of 30,000 keys',
    statuses: [200],
    attack: (target) => {
      const query = Array.from({ length: 30_000 }, (_, n) => `k${n}`).join('&')
      return sendConcurrently(target, 20, () => ({ path: `/api/resources/docs?${query}` }))
    },
  },
  {
    name: 'sockets that send many messages',
    statuses: [],
    attack: async (target) => {
      const sockets = Array.from({ length: 60 }, () => {
        const url = `${target.server.url.replace('http', 'ws')}/api/events`
        const socket = new WebSocket(url, {
          headers: { 'x-auth': target.token },
          localAddress: attackerAddress,
        })
        const sendMessages = () => {
          for (let n = 0; n < 50 && socket.readyState === WebSocket.OPEN; n += 1)
            socket.send('x'.repeat(8000))
        }
        const timer = setInterval(sendMessages, 20)
        socket.on('error', () => undefined).on('close', () => clearInterval(timer))
        return socket
      })
      await delay(1500)
      for (const socket of sockets) socket.terminate()
      return []
    },
  },
  {
    name: 'unknown share links',
    statuses: [404, 429],
    attack: (target) =>
      sendConcurrently(target, 90, (n) => ({
        path: `/api/public/share/unknown${n}`,
        headers: { 'x-auth': '' },
      })),
  },
]

test.each(attacks)('$name', (attack) => expectNoImpact(target, attack))
