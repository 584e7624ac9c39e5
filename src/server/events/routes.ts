import { openEvents } from '../../shared/contract/events.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import { watchFolders, type WatchDependencies } from './watch-folders.ts'

/** The WebSocket endpoint over which clients receive changes. */
export const eventRoutes = (watching: WatchDependencies): readonly SocketRoute[] => [
  { endpoint: openEvents, connect: ({ caller, socket }) => watchFolders(watching, caller.user.id, socket) },
]
