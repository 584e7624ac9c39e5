import { createServer, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { HttpExchange } from '../exchange.ts'
import { createRequestLifetime } from '../request-lifetime.ts'
import { finishResponse, writeBytes } from './write-bytes.ts'

/** Sends a request and returns the response of the server, on which nothing has been written. */
async function openResponse(): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>()
  const server = createServer((_, response) => resolve(response)).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((listening) => server.once('listening', listening))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(() => void client.destroy())
  client.on('error', () => {}).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  return promise
}

const exchangeOf = (response: ServerResponse): HttpExchange =>
  ({ response, lifetime: createRequestLifetime(response) }) as HttpExchange

test('a chunk ends with an error when it is written between the end of the connection and its event', async () => {
  const response = await openResponse()
  let isSourceClosed = false
  async function* chunks(): AsyncGenerator<string, void> {
    try {
      yield 'first'
      // The event that the connection has closed follows in a later turn.
      response.socket?.destroy()
      yield 'second'
    } finally {
      isSourceClosed = true
    }
  }
  await expect(writeBytes(exchangeOf(response), chunks())).rejects.toMatchObject({ code: 'aborted' })
  expect(isSourceClosed).toBe(true)
})

test.each([
  ['when its connection is being closed', false],
  ['after its connection has closed', true],
])('a response is finished %s', async (_, waits) => {
  const response = await openResponse()
  const closed = new Promise((resolve) => response.once('close', resolve))
  response.write('first')
  response.socket?.destroy()
  if (waits) await closed
  await expect(finishResponse(response)).resolves.toBeUndefined()
})
