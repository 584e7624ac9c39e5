import type { IncomingMessage } from 'node:http'
import type { HttpLimits } from '../http-options.ts'

/**
 * Reads on what an answer has left unread of its request, within limits, and drops it: a browser that is still sending reads the
 * answer only if its bytes are taken. Beyond the limits the connection is cut.
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
