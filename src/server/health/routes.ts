import { getHealth } from '../../shared/contract/health.ts'
import { route, type Route } from '../http/route.ts'
import type { Records } from '../records/port.ts'

/**
 * Returns the route of the health check. It answers 200 when the server and its database work, and 503 otherwise. The
 * answer contains no other information.
 */
export function healthRoutes({ ping }: Pick<Records, 'ping'>): readonly Route[] {
  let asking: Promise<void> | null = null
  // Concurrent requests share one pending ping. Anybody may send requests, and pings must not pile up at a database
  // that does not answer.
  const pingOnce = () => (asking ??= ping().finally(() => (asking = null)))
  return [
    route(getHealth, async () => {
      await pingOnce()
      return { kind: 'json', json: { status: 'OK' } }
    }),
  ]
}
