import type { ChangeMessage, WatchMessage } from '../../../shared/contract/events.ts'
import { parentOf, type Path } from '../../../shared/domain/path.ts'

/** The members of a WebSocket that the change feed uses. */
export type ChangeFeedSocket = Pick<WebSocket, 'send' | 'close' | 'addEventListener'>

export type ChangeFeedDependencies = {
  readonly openSocket: () => ChangeFeedSocket
  /** Runs a callback after a delay. The returned function cancels the callback. */
  readonly later: (ms: number, run: () => void) => () => void
  /** The id of this tab. Changes made in this tab are already on screen, so their messages are ignored. */
  readonly origin: string
  /**
   * Called when somebody else has changed the folder. `missed` means that changes may have been missed while the socket
   * was disconnected.
   */
  readonly onChange: (folder: Path, change: ChangeMessage | 'missed') => void
  /** Called when the connection to the server is lost. */
  readonly onDisconnect: () => void
}

export type ChangeFeed = {
  /** Watches the given folder instead of the previous folder. Null stops watching. */
  readonly watch: (folder: Path | null) => void
  readonly close: () => void
}

const firstRetryMs = 1000
/**
 * The maximum delay between two attempts to connect. The delay doubles after each failed attempt, so that many clients
 * do not flood a server that restarts.
 */
const maxRetryMs = 30_000

type ChangeFeedState = {
  readonly dependencies: ChangeFeedDependencies
  socket: ChangeFeedSocket | null
  isOpen: boolean
  isClosed: boolean
  /**
   * True once a connection has been established. Every later connection is a reconnection, before which changes may
   * have been missed.
   */
  wasOpen: boolean
  folder: Path | null
  retryMs: number
  cancelRetry: () => void
}

/**
 * Keeps a socket open on which the server reports changes of the open folder. Reconnects when the connection is lost,
 * and then reports that changes may have been missed.
 */
export function startChangeFeed(dependencies: ChangeFeedDependencies): ChangeFeed {
  const state: ChangeFeedState = {
    dependencies,
    socket: null,
    isOpen: false,
    isClosed: false,
    wasOpen: false,
    folder: null,
    retryMs: firstRetryMs,
    cancelRetry: () => undefined,
  }
  connect(state)
  return {
    watch: (folder) => {
      if (folder === state.folder) return
      state.folder = folder
      if (state.isOpen) sendWatch(state)
    },
    close: () => {
      state.isClosed = true
      state.cancelRetry()
      state.socket?.close()
    },
  }
}

function connect(state: ChangeFeedState): void {
  const { openSocket, onChange, onDisconnect, later } = state.dependencies
  const socket = openSocket()
  state.socket = socket
  socket.addEventListener('open', () => {
    state.isOpen = true
    state.retryMs = firstRetryMs
    sendWatch(state)
    if (state.wasOpen && state.folder !== null) onChange(state.folder, 'missed')
    state.wasOpen = true
  })
  socket.addEventListener('message', ({ data }) => receiveMessage(state, data))
  socket.addEventListener('close', () => {
    state.isOpen = false
    if (state.isClosed) return
    onDisconnect()
    state.cancelRetry = later(state.retryMs, () => connect(state))
    state.retryMs = Math.min(state.retryMs * 2, maxRetryMs)
  })
}

function sendWatch({ socket, folder }: ChangeFeedState): void {
  const message: WatchMessage = { watch: folder === null ? [] : [folder] }
  socket?.send(JSON.stringify(message))
}

function receiveMessage({ dependencies, folder }: ChangeFeedState, data: unknown): void {
  const change = changeOf(data)
  if (change === null || folder === null || change.origin === dependencies.origin) return
  if ([change.path, change.to].some((path) => path !== undefined && concerns(path as Path, folder))) {
    dependencies.onChange(folder, change)
  }
}

/** Returns true when a changed path is the folder itself or one of its direct entries. */
const concerns = (path: Path, folder: Path): boolean => path === folder || parentOf(path) === folder

/** Parses a message from the server. Returns null when the message does not describe a change. */
function changeOf(data: unknown): ChangeMessage | null {
  if (typeof data !== 'string') return null
  try {
    const change = JSON.parse(data) as Partial<ChangeMessage>
    return typeof change.path === 'string' ? (change as ChangeMessage) : null
  } catch {
    return null
  }
}
