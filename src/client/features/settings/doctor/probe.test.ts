import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { opensSocket, probe, sendBody, timeStream } from './probe.ts'

/** Starts a server that counts requests. */
async function startCounter() {
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    response.end('1\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, requests: () => requests }
}

test('nothing is sent after the user has logged out', async () => {
  const { url, requests } = await startCounter()
  const signal = AbortSignal.abort()
  const sent = await Promise.allSettled([
    probe(url, { signal }),
    timeStream(url, signal),
    sendBody(url, new Blob(['x']), signal),
    opensSocket(signal),
  ])
  expect(sent.map(({ status, ...rest }) => [status, 'reason' in rest && rest.reason])).toEqual(
    Array.from({ length: 4 }, () => ['rejected', signal.reason]),
  )
  expect(requests()).toBe(0)
  // Before that, the same calls send.
  const { signal: active } = new AbortController()
  expect(await probe(url, { signal: active })).toMatchObject({ status: 200, text: '1\n' })
  expect(await timeStream(url, active)).not.toBeNull()
  expect(requests()).toBe(2)
})
