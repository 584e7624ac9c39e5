import type { ChangeMessage } from '../../shared/contract/events.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { StorageChange } from '../changes/change.ts'
import type { ClientSocket } from '../http/socket-route.ts'
import type { Storage } from '../storage/port.ts'
import { isDirectlyIn, visibleChangeOf, translatePaths } from './visible-change.ts'

/** The dependencies of the socket that sends changes to a client. */
export type WatchDependencies = {
  readonly subscribe: (listener: (change: StorageChange) => void) => () => void
  /** Returns a user's current scope and storage; null when the user no longer exists or has an invalid scope. */
  readonly accessOf: (userId: number) => Promise<{ readonly scope: Path; readonly storage: Storage } | null>
  readonly onFault: (error: unknown) => void
}

/** The maximum number of folders that a client may watch. No screen of our client displays so many folders. */
const maxFolders = 1000
/**
 * The maximum size of the messages that a client has not read yet: 1 MiB. Above this size, the socket is closed,
 * because the client can list its folders again faster than it would read all messages.
 */
const maxWaitingBytes = 1024 * 1024

/**
 * Sends a client the changes of all entries that are directly in one of the folders that it watches, if the user may
 * see them.
 */
export function watchFolders(dependencies: WatchDependencies, userId: number, socket: ClientSocket): void {
  let folders: ReadonlySet<Path> = new Set()
  let lastSend = Promise.resolve()
  let lastId = 0

  socket.onMessage((text) => {
    const requested = foldersOf(text)
    if (requested === null) socket.close()
    else folders = requested
  })

  const stop = dependencies.subscribe((change) => {
    if (folders.size === 0) return
    lastSend = lastSend.then(() => sendChange(change)).catch(dependencies.onFault)
  })
  socket.onClose(stop)

  async function sendChange(change: StorageChange): Promise<void> {
    const access = await dependencies.accessOf(userId)
    if (access === null) return
    const { from, to } = translatePaths(change, access.scope)
    if (!isDirectlyIn(folders, from) && !isDirectlyIn(folders, to)) return
    const visible = visibleChangeOf(
      change.kind,
      await permittedPath(access.storage, from),
      await permittedPath(access.storage, to),
    )
    if (visible === null) return
    if (socket.waitingBytes() > maxWaitingBytes) return socket.close()
    const message: ChangeMessage = { id: (lastId += 1), ...visible, origin: change.origin }
    socket.send(JSON.stringify(message))
  }
}

/**
 * Returns the path; null when the user's rules deny access to it. The result does not depend on whether an entry exists
 * at the path.
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
  const message = parseJson(text)
  const requested =
    typeof message === 'object' && message !== null && 'watch' in message ? message.watch : null
  if (!Array.isArray(requested) || requested.length > maxFolders) return null
  const paths = requested.map((path: unknown) => (typeof path === 'string' ? pathOf(path) : null))
  return new Set(paths.filter((path) => path !== null))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
