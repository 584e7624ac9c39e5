import type * as archives from './archives.ts'
import type * as audit from './audit.ts'
import type * as command from './command.ts'
import type * as doctor from './doctor.ts'
import type * as events from './events.ts'
import type * as overview from './overview.ts'
import type * as previews from './previews.ts'
import type * as raw from './raw.ts'
import type * as resources from './resources.ts'
import type * as search from './search.ts'
import type * as server from './server.ts'
import type * as sessions from './sessions.ts'
import type * as settings from './settings.ts'
import type * as shares from './shares.ts'
import type * as subtitles from './subtitles.ts'
import type * as tickets from './tickets.ts'
import type * as tus from './tus.ts'
import type * as usage from './usage.ts'
import type * as users from './users.ts'
import type { Endpoint } from './endpoint.ts'
import type { RouteName } from './routes.ts'

type ContractFile =
  | typeof archives
  | typeof audit
  | typeof command
  | typeof doctor
  | typeof events
  | typeof overview
  | typeof previews
  | typeof raw
  | typeof resources
  | typeof search
  | typeof server
  | typeof sessions
  | typeof settings
  | typeof shares
  | typeof subtitles
  | typeof tickets
  | typeof tus
  | typeof usage
  | typeof users

type ExportOf<File> = File extends unknown ? File[keyof File] : never

type DeclaredEndpoint = Extract<ExportOf<ContractFile>, Endpoint>

/**
 * The type of the endpoint with the given route name. The client uses this type, because it imports the contract only
 * as types.
 */
export type EndpointOf<Name extends RouteName> = Extract<DeclaredEndpoint, { readonly route: Name }>
