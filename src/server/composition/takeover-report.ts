import type { SessionDependencies } from '../auth/sessions.ts'
import type { Config } from '../config/serving-options.ts'
import type { OldRequestObserver } from '../http/old-requests.ts'
import type { Route } from '../http/route.ts'
import type { ServerRecords } from '../records/port.ts'
import { createRequestCounter } from '../takeover-report/request-counter.ts'
import { takeoverRoutes } from '../takeover-report/routes.ts'

/** The dependencies of the report of a takeover. */
type TakeoverReportDependencies = {
  readonly config: Pick<Config, 'disableExec' | 'trustedProxies'>
  readonly records: ServerRecords
  readonly login: Pick<SessionDependencies, 'readToken' | 'nowMs'>
  readonly onFault: (error: unknown) => void
}

/** The report of a takeover, and the counter of requests that File Browser would have answered differently. */
export type TakeoverReportModule = {
  readonly routes: readonly Route[]
  readonly oldRequests: OldRequestObserver
  readonly stop: () => Promise<void>
}

/** Creates the report of a takeover and its routes, and starts to count requests. */
export function composeTakeoverReport({
  config,
  records,
  login,
  onFault,
}: TakeoverReportDependencies): TakeoverReportModule {
  const { nowMs, readToken } = login
  const counter = createRequestCounter({ store: records.oldRequests, nowMs, onFault })
  return {
    routes: takeoverRoutes({ ...config, records, counter }),
    oldRequests: { isToken: (text) => readToken(text, nowMs()) !== null, count: counter.count },
    stop: counter.stop,
  }
}
