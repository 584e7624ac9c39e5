import type { AdvisoryCheck } from '../advisories/advisory-check.ts'
import type { Config } from '../config/serving-options.ts'
import { doctorRoutes } from '../doctor/routes.ts'
import type { Route } from '../http/route.ts'
import { overviewRoutes } from '../overview/routes.ts'
import type { ServerRecords } from '../records/port.ts'
import type { Volume } from '../storage/port.ts'
import { takeoverRoutes } from '../takeover-report/routes.ts'
import type { ServerRuntime } from './server-runtime.ts'

type AdministrationDependencies = {
  readonly config: Config
  readonly records: ServerRecords
  readonly volume: Volume
  readonly advisories: Pick<AdvisoryCheck, 'state'>
  readonly runtime: Pick<ServerRuntime, 'version' | 'nowMs' | 'randomBytes'>
}

/** Returns the routes with which administrators look at the server: its state, the way to it, and the report of a takeover. */
export const composeAdministrationRoutes = ({
  config,
  records,
  volume,
  advisories,
  runtime,
}: AdministrationDependencies): readonly Route[] => [
  ...takeoverRoutes({ ...config, records }),
  ...overviewRoutes({ ...runtime, records, volume, advisories: advisories.state }),
  ...doctorRoutes({ ...runtime, basePath: config.baseURL }),
]
