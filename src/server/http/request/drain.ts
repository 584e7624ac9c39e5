import type { IncomingMessage } from 'node:http'
import type { HttpLimits } from '../http-options.ts'

/**
 * Reads and drops the rest of a request body that the operation did not read, because a browser reads the response only
 * after it has sent the whole body. When the rest exceeds the limits, the connection is closed.
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
