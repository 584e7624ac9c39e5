import { openEvents } from '../../shared/contract/events.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import { watch, type Watching } from './watch.ts'

/** The socket of changes. */
export const eventRoutes = (watching: Watching): readonly SocketRoute[] => [
  { endpoint: openEvents, connect: ({ caller, socket }) => watch(watching, caller.user.id, socket) },
]
