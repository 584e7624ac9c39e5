import type { IncomingMessage } from 'node:http'
import type { HttpLimits } from '../http-options.ts'

/**
 * Reads and drops the part of a request that its answer left unread, within limits: a browser that is still sending
 * reads the answer only when its bytes are accepted. Beyond the limits the connection is closed.
 */
export function drain(request: IncomingMessage, limits: Pick<HttpLimits, 'drainBytes' | 'drainMs'>): void {
  if (request.complete || request.destroyed) return
  let leftBytes = limits.drainBytes
  const cut = (): void => void request.socket.destroy()
  const timer = setTimeout(cut, limits.drainMs)
  request.on('data', (chunk: Buffer) => {
    leftBytes -= chunk.length
    if (leftBytes < 0) cut()
  })
  request.once('close', () => clearTimeout(timer))
  request.once('end', () => clearTimeout(timer))
  request.on('error', () => undefined)
  request.resume()
}
