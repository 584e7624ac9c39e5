import { openEvents } from '../../shared/contract/events.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import { createConnections, type ConnectionDependencies } from './connections.ts'

/** Returns the WebSocket endpoint over which clients receive changes. */
export function eventRoutes(dependencies: ConnectionDependencies): readonly SocketRoute[] {
  const serve = createConnections(dependencies)
  return [{ endpoint: openEvents, connect: ({ caller, socket }) => serve(caller.user.id, socket) }]
}
