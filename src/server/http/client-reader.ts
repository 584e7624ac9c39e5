import type { IncomingMessage } from 'node:http'
import { clientOf } from './request/client-address.ts'
import type { ClientConnection } from './route.ts'

/** Maximum number of addresses that are logged. A server has few proxies, and strangers can send the header, too. */
const maxLoggedAddresses = 16

/**
 * Creates a function that returns the client of a request. It logs each address once that sends `X-Forwarded-For`
 * without being a trusted proxy. All clients of such a proxy share one address, so a few wrong passwords of one of them
 * lock out the others.
 */
export function createClientReader(
  isTrusted: (address: string) => boolean,
  log: (line: string) => void,
): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => ClientConnection {
  const logged = new Set<string>()
  return (request) => {
    const client = clientOf(request, isTrusted)
    if (!client.isProxy && request.headers['x-forwarded-for'] !== undefined) logOnce(client.address)
    return client
  }

  function logOnce(address: string): void {
    if (logged.has(address) || logged.size >= maxLoggedAddresses) return
    logged.add(address)
    log(
      `${address} sends X-Forwarded-For, but is no trusted proxy. If it is your reverse proxy, start with ` +
        `--auth.trustedProxies ${address}. Until then, all its visitors count as one address, and wrong passwords of one ` +
        'visitor lock out the others.',
    )
  }
}
