import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'

/**
 * A minimal `node:http` server. It reads one response from standard input, prints its port, and sends that response to
 * every request.
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
