import type { ChangeMessage } from '../../shared/contract/events.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'
import type { Socket } from '../http/socket-route.ts'
import type { Storage } from '../storage/port.ts'
import { isDirectlyIn, visibleChangeOf, translatePaths } from './visible-change.ts'

/** The dependencies of the socket that sends changes to a client. */
export type WatchDependencies = {
  readonly subscribe: (listener: (change: Change) => void) => () => void
  /** Returns a user's current scope and storage; null when the user no longer exists. */
  readonly reachOf: (userId: number) => Promise<{ readonly scope: Path; readonly storage: Storage } | null>
  readonly onFault: (error: unknown) => void
}

/** Maximum number of folders that a client may watch. No screen of our client shows that many folders. */
const maxFolders = 1000
/**
 * Maximum size of the messages that a client has not read yet: 1 MiB. Above this size the socket is closed, because it
 * is faster for the client to list its folders again.
 */
const maxWaitingBytes = 1024 * 1024

/** Sends the client every change directly in one of the folders that it watches, if the user may see the change. */
export function watchFolders(watching: WatchDependencies, userId: number, socket: Socket): void {
  let folders: ReadonlySet<Path> = new Set()
  let sent = Promise.resolve()
  let lastId = 0

  socket.onMessage((text) => {
    const named = foldersOf(text)
    if (named === null) socket.close()
    else folders = named
  })

  const stop = watching.subscribe((change) => {
    if (folders.size === 0) return
    sent = sent.then(() => sendChange(change)).catch(watching.onFault)
  })
  socket.onClose(stop)

  async function sendChange(change: Change): Promise<void> {
    const reach = await watching.reachOf(userId)
    if (reach === null) return
    const { from, to } = translatePaths(change, reach.scope)
    if (!isDirectlyIn(folders, from) && !isDirectlyIn(folders, to)) return
    const seen = visibleChangeOf(
      change.kind,
      await permittedPath(reach.storage, from),
      await permittedPath(reach.storage, to),
    )
    if (seen === null) return
    if (socket.waitingBytes() > maxWaitingBytes) return socket.close()
    const message: ChangeMessage = { id: (lastId += 1), ...seen, origin: change.origin }
    socket.send(JSON.stringify(message))
  }
}

/**
 * Returns the path, or null if the user has no access to it. Access is denied whether or not an entry exists at the
 * path.
 */
async function permittedPath(storage: Storage, path: Path | null): Promise<Path | null> {
  if (path === null) return null
  try {
    await storage.stat(path)
    return path
  } catch (error) {
    return codeOf(error) === 'forbidden' ? null : path
  }
}

function foldersOf(text: string): ReadonlySet<Path> | null {
  const message = parsed(text)
  const named = typeof message === 'object' && message !== null && 'watch' in message ? message.watch : null
  if (!Array.isArray(named) || named.length > maxFolders) return null
  const paths = named.map((path: unknown) => (typeof path === 'string' ? pathOf(path) : null))
  return new Set(paths.filter((path) => path !== null))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
