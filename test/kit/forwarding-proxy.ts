import { createServer, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Returns the headers that the proxy sends to the server, in place of those of the client. */
export type HeaderRewrite = (headers: IncomingMessage['headers']) => OutgoingHttpHeaders

/**
 * Starts a reverse proxy that forwards requests and upgrades to a server, and returns the proxy's port. The rewrite
 * changes the headers as the configuration of a real proxy does. The proxy stops at the end of the test.
 */
export async function startForwardingProxy(target: string, rewrite: HeaderRewrite): Promise<number> {
  const { hostname, port } = new URL(target)
  const forward = ({ method, url, headers }: IncomingMessage) =>
    request({ hostname, port, method, path: url, headers: rewrite(headers), agent: false })
  const proxy = createServer((incoming, outgoing) => {
    const forwarded = forward(incoming)
    forwarded.once('response', (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    forwarded.once('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  proxy.on('upgrade', (incoming, near) => {
    const forwarded = forward(incoming)
    const answer = ({ statusCode, headers }: IncomingMessage): void => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
      near.write([`HTTP/1.1 ${statusCode} Answer`, ...lines, '', ''].join('\r\n'))
    }
    near.on('error', () => near.destroy())
    forwarded.once('error', () => near.destroy())
    forwarded.once('response', (response) => {
      answer(response)
      response.pipe(near)
    })
    forwarded.once('upgrade', (response, far) => {
      answer(response)
      far.on('error', () => near.destroy())
      far.pipe(near).pipe(far)
    })
    forwarded.end()
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return (proxy.address() as AddressInfo).port
}
