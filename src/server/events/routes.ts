import { openEvents } from '../../shared/contract/events.ts'
import type { SocketRoute } from '../http/socket-route.ts'
import { watchFolders, type WatchDependencies } from './watch-folders.ts'

/** Returns the WebSocket endpoint over which clients receive changes. */
export const eventRoutes = (dependencies: WatchDependencies): readonly SocketRoute[] => [
  {
    endpoint: openEvents,
    connect: ({ caller, socket }) => watchFolders(dependencies, caller.user.id, socket),
  },
]
