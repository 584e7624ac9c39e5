import { getOverview } from '../../shared/contract/overview.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { route, type Route } from '../http/route.ts'
import { describeServer, type OverviewDependencies } from './describe-server.ts'

/** Returns the route of the overview for administrators. */
export const overviewRoutes = (dependencies: OverviewDependencies): readonly Route[] => [
  route(getOverview, async ({ signal }) => jsonResponse(await describeServer(dependencies, signal))),
]
