import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ann, bea, bundledProgram, runServer, type RunningServer } from '../kit/run-server.ts'
import { mebi, tokenOf } from './attack.ts'
import { delay, measureAttack, servingProcesses } from './measure-attack.ts'

/** Clients that request large responses and read only their start, on a server that may use 512 MB for its objects. */
let server: RunningServer

beforeAll(async () => {
  const [node = '', ...program] = bundledProgram()
  server = await runServer({
    people: [ann, bea],
    files: {
      // As JSON, each of these characters takes six.
      'controls.txt': '\u0001'.repeat(10_000_000),
      long: Object.fromEntries(
        Array.from({ length: 4000 }, (_, n) => [`${n}`.padStart(5, '0') + '\u0001'.repeat(250), '']),
      ),
      'long.srt': `1\n00:00:01,000 --> 00:00:02,000\n${'x'.repeat(9_000_000)}\n`,
    },
    program: [node, '--max-old-space-size=512', ...program],
  })
})
afterAll(() => server.remove())

/** The number of connections of one client: 100 is the most that an address may have. */
const connections = 90
const attackMs = 15_000

/** Sends a request on each connection, and reads nothing after the first bytes. Returns the statuses that have arrived. */
async function requestAndRest(path: string, token: string): Promise<readonly string[]> {
  const statuses: string[] = []
  const sockets = Array.from({ length: connections }, () => {
    const socket = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.2' })
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      statuses.push(bytes.toString('latin1').slice(9, 12))
      socket.pause()
    })
    socket.write(`GET ${path} HTTP/1.1\r\nHost: h\r\nX-Auth: ${token}\r\n\r\n`)
    return socket
  })
  await delay(attackMs)
  for (const socket of sockets) socket.destroy()
  return statuses
}

test.each([
  ['texts', '/api/resources/controls.txt', 1],
  ['subtitles', '/api/subtitle/long.srt', 3],
])(
  'a user who does not read %s holds little memory, and others still get theirs',
  { timeout: 60_000 },
  async (_, path, most) => {
    const pid = server.pid()
    const token = await tokenOf(server, ann)
    let statuses: readonly string[] = []
    const { peakBytes } = await measureAttack(server, async () => {
      statuses = await requestAndRest(path, token)
    })
    expect(statuses.filter((status) => status === '200').length).toBeLessThanOrEqual(most * servingProcesses)
    expect(new Set(statuses)).toEqual(new Set(['200', '503']))
    expect(peakBytes).toBeLessThan(1024 * mebi)
    expect(server.pid()).toBe(pid)
    const headers = { 'x-auth': await tokenOf(server, ann) }
    expect((await fetch(server.url + path, { headers })).status).toBe(200)
  },
)

test.each(['/api/resources/recursive/long/', '/api/du/long/'])(
  'a user who does not read the tree of %s waits for the first ones, and the server goes on',
  { timeout: 60_000 },
  async (path) => {
    const pid = server.pid()
    const token = await tokenOf(server, ann)
    let statuses: readonly string[] = []
    const { peakBytes } = await measureAttack(server, async () => {
      statuses = await requestAndRest(path, token)
    })
    expect(new Set(statuses)).toEqual(new Set(['200']))
    expect(peakBytes).toBeLessThan(1024 * mebi)
    expect(server.pid()).toBe(pid)
    const headers = { 'x-auth': await tokenOf(server, bea) }
    expect((await fetch(server.url + path, { headers })).status).toBe(200)
  },
)
