import { getHealth } from '../../shared/contract/health.ts'
import { route, type Route } from '../http/route.ts'

/** Says that the server can serve, and nothing beyond that. */
export const healthRoutes = (): readonly Route[] => [
  route(getHealth, async () => ({ kind: 'json', json: { status: 'OK' } })),
]
