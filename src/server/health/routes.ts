import { getHealth } from '../../shared/contract/health.ts'
import { route, type Route } from '../http/route.ts'
import type { Records } from '../records/port.ts'

/** Says that the server can serve, its database included, and nothing beyond that; 503 when it cannot. */
export function healthRoutes({ ping }: Pick<Records, 'ping'>): readonly Route[] {
  let asking: Promise<void> | null = null
  // Whoever asks while a database does not answer waits with those before: anybody may ask.
  const answers = () => (asking ??= ping().finally(() => (asking = null)))
  return [
    route(getHealth, async () => {
      await answers()
      return { kind: 'json', json: { status: 'OK' } }
    }),
  ]
}
