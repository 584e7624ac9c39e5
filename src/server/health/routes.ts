import { getHealth } from '../../shared/contract/server.ts'
import { route, type Route } from '../http/route.ts'
import type { ServerRecords } from '../records/port.ts'

/**
 * Returns the route of the health check. It responds with 200 when the server and its database work, and with 503
 * otherwise. The response contains no other information.
 */
export function healthRoutes({ ping }: Pick<ServerRecords, 'ping'>): readonly Route[] {
  let pendingPing: Promise<void> | null = null
  // Concurrent requests share one pending ping. Anybody may send requests, and pings must not accumulate while the
  // database does not respond.
  const sharedPing = () => (pendingPing ??= ping().finally(() => (pendingPing = null)))
  return [
    route(getHealth, async () => {
      await sharedPing()
      return { kind: 'json', json: { status: 'OK' } }
    }),
  ]
}
