import type { ChangeMessage, WatchMessage } from '../../../shared/contract/events.ts'
import { parentOf, type Path } from '../../../shared/domain/path.ts'

/** The part of a WebSocket that live updates need. */
export type ChangeSocket = Pick<WebSocket, 'send' | 'close' | 'addEventListener'>

export type LiveNeeds = {
  readonly openSocket: () => ChangeSocket
  /** Calls back after a while; the answer cancels it. */
  readonly later: (ms: number, run: () => void) => () => void
  /** This tab's name: its own changes are on screen already. */
  readonly origin: string
  /** Something in the folder was changed by somebody else. `isMissed`: the socket was away, so anything may have. */
  readonly onChange: (folder: Path, change: ChangeMessage | 'missed') => void
}

export type Live = {
  /** From now on this folder is watched instead of the one before; null for none. */
  readonly watch: (folder: Path | null) => void
  readonly close: () => void
}

const firstRetryMs = 1000
const mostRetryMs = 30_000

type Line = {
  readonly needs: LiveNeeds
  socket: ChangeSocket | null
  isOpen: boolean
  isClosed: boolean
  /** Whether there has been a connection before this one. */
  wasOpen: boolean
  folder: Path | null
  retryMs: number
  cancelRetry: () => void
}

/** Keeps one socket open and asks it about the open folder; after a break it says that something may have been missed. */
export function startLive(needs: LiveNeeds): Live {
  const line: Line = {
    needs,
    socket: null,
    isOpen: false,
    isClosed: false,
    wasOpen: false,
    folder: null,
    retryMs: firstRetryMs,
    cancelRetry: () => undefined,
  }
  connect(line)
  return {
    watch: (folder) => {
      if (folder === line.folder) return
      line.folder = folder
      if (line.isOpen) sendWatch(line)
    },
    close: () => {
      line.isClosed = true
      line.cancelRetry()
      line.socket?.close()
    },
  }
}

function connect(line: Line): void {
  const socket = line.needs.openSocket()
  line.socket = socket
  socket.addEventListener('open', () => {
    line.isOpen = true
    line.retryMs = firstRetryMs
    sendWatch(line)
    if (line.wasOpen && line.folder !== null) line.needs.onChange(line.folder, 'missed')
    line.wasOpen = true
  })
  socket.addEventListener('message', ({ data }) => hear(line, data))
  socket.addEventListener('close', () => {
    line.isOpen = false
    if (line.isClosed) return
    line.cancelRetry = line.needs.later(line.retryMs, () => connect(line))
    line.retryMs = Math.min(line.retryMs * 2, mostRetryMs)
  })
}

function sendWatch({ socket, folder }: Line): void {
  const message: WatchMessage = { watch: folder === null ? [] : [folder] }
  socket?.send(JSON.stringify(message))
}

function hear({ needs, folder }: Line, data: unknown): void {
  const change = changeOf(data)
  if (change === null || folder === null || change.origin === needs.origin) return
  if ([change.path, change.to].some((path) => path !== undefined && concerns(path as Path, folder))) {
    needs.onChange(folder, change)
  }
}

/** The folder itself, or what stands directly in it. */
const concerns = (path: Path, folder: Path): boolean => path === folder || parentOf(path) === folder

function changeOf(data: unknown): ChangeMessage | null {
  if (typeof data !== 'string') return null
  try {
    const change = JSON.parse(data) as Partial<ChangeMessage>
    return typeof change.path === 'string' ? (change as ChangeMessage) : null
  } catch {
    return null
  }
}
