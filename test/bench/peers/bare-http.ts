import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * A bare `node:http` server. It answers every request with the one answer that it gets on standard input, and prints
 * its port.
 */
const { headers, body } = JSON.parse(await text(process.stdin)) as {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
const server = createServer((_request, response) => response.writeHead(200, headers).end(body))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`${typeof address === 'object' && address ? address.port : 0}\n`)
})
