import type { ChangeMessage } from '../../shared/contract/events.ts'
import { codeOf } from '../../shared/domain/failure.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { Change } from '../changes/change.ts'
import type { Socket } from '../http/socket-route.ts'
import type { Storage } from '../storage/port.ts'
import { isIn, seenAs, translate } from './seen-change.ts'

/** What the events need of the rest of the server. */
export type Watching = {
  readonly subscribe: (listener: (change: Change) => void) => () => void
  /** What a person may reach now, and from where; null when the person is gone. */
  readonly reachOf: (userId: number) => Promise<{ readonly scope: Path; readonly storage: Storage } | null>
  readonly onFault: (error: unknown) => void
}

/** More folders than any screen shows; a client that names more is not ours. */
const mostFolders = 1000
/** A reader that is this far behind is better off asking for the folder again. */
const mostWaitingBytes = 1024 * 1024

/** Tells the socket of each change directly in the folders that it names, as far as its person may see it. */
export function watch(watching: Watching, userId: number, socket: Socket): void {
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
    sent = sent.then(() => tell(change)).catch(watching.onFault)
  })
  socket.onClose(stop)

  async function tell(change: Change): Promise<void> {
    const reach = await watching.reachOf(userId)
    if (reach === null) return
    const { from, to } = translate(change, reach.scope)
    if (!isIn(folders, from) && !isIn(folders, to)) return
    const seen = seenAs(change.kind, await permitted(reach.storage, from), await permitted(reach.storage, to))
    if (seen === null) return
    if (socket.waitingBytes() > mostWaitingBytes) return socket.close()
    const message: ChangeMessage = { id: (lastId += 1), ...seen, origin: change.origin }
    socket.send(JSON.stringify(message))
  }
}

/** The path, when its person may know of it: what is denied is so whether or not anything is there. */
async function permitted(storage: Storage, path: Path | null): Promise<Path | null> {
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
  if (!Array.isArray(named) || named.length > mostFolders) return null
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
