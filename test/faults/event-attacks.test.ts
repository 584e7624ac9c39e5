import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { ann, bea, bundledProgram, runServer } from '../kit/run-server.ts'
import { expectNoImpact, sendConcurrently, targetOf, type AttackTarget } from './attack.ts'
import { attackerAddress } from './measure-attack.ts'

/** Clients of the events socket that try to use up the memory of a server, which may use 512 MB for its objects. */
let target: AttackTarget
beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  target = await targetOf(
    await runServer({
      people: [ann, bea],
      files: { 'a.txt': 'A', docs: {} },
      program: [node, '--max-old-space-size=512', ...program],
    }),
  )
})
afterAll(() => target.server.remove())

async function openEvents(): Promise<WebSocket> {
  const socket = new WebSocket(`${target.server.url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': target.token },
    localAddress: attackerAddress,
  })
  socket.on('error', () => undefined)
  await once(socket, 'open')
  return socket
}

/** Returns a message with as many new names of folders as a message may contain. */
const watchMessage = (n: number): string =>
  JSON.stringify({ watch: Array.from({ length: 1000 }, (_, at) => (n * 1000 + at).toString(36)) })

test('six megabytes of new folders on one socket, and pings whose answers nobody reads', async () => {
  await expectNoImpact(target, {
    statuses: [],
    async attack() {
      const [watcher, pinger] = [await openEvents(), await openEvents()]
      for (let n = 0; n < 800; n += 1) watcher.send(watchMessage(n))
      pinger.pause()
      for (let n = 0; n < 50_000; n += 1) pinger.ping('x'.repeat(125))
      await new Promise((resolve) => setTimeout(resolve, 4000))
      for (const socket of [watcher, pinger]) socket.terminate()
      return []
    },
  })
})

test('four hundred clients that leave, and changes with long names in the folder that they show', async () => {
  const long = 'n'.repeat(250)
  await expectNoImpact(target, {
    statuses: [200, 400],
    async attack() {
      for (let n = 0; n < 400; n += 1) {
        const socket = await openEvents()
        socket.send(JSON.stringify({ watch: ['/docs'], resume: null }))
        await once(socket, 'message')
        socket.terminate()
      }
      const origin = 'x'.repeat(200_000)
      const refused = await sendConcurrently(target, 8, (n) => ({
        path: `/api/resources/docs/refused${n}`,
        method: 'POST',
        headers: { 'x-origin': origin },
      }))
      expect(new Set(refused)).toEqual(new Set([400]))
      return sendConcurrently(target, 90, (n) => ({
        path: `/api/resources/docs/${long}${n}`,
        method: 'POST',
      }))
    },
  })
})
