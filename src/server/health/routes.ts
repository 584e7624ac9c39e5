import { getHealth } from '../../shared/contract/health.ts'
import { route, type Route } from '../http/route.ts'
import type { Records } from '../records/port.ts'

/**
 * The route of the health check. It answers 200 when the server and its database work, and 503 when they do not; it
 * tells nothing else.
 */
export function healthRoutes({ ping }: Pick<Records, 'ping'>): readonly Route[] {
  let asking: Promise<void> | null = null
  // Requests share one pending ping: anybody may send them, and a database that does not answer must not collect more
  // pings.
  const answers = () => (asking ??= ping().finally(() => (asking = null)))
  return [
    route(getHealth, async () => {
      await answers()
      return { kind: 'json', json: { status: 'OK' } }
    }),
  ]
}
