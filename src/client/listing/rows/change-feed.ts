import type {
  ChangeMessage,
  ConnectionMessage,
  RightsMessage,
  WatchingMessage,
  WatchMessage,
} from '../../../shared/contract/events.ts'
import { isWithin, parentOf, type Path } from '../../../shared/domain/path.ts'

/** The members of a WebSocket that the change feed uses. */
export type ChangeFeedSocket = Pick<WebSocket, 'send' | 'close' | 'addEventListener'>

export type ChangeFeedDependencies = {
  readonly openSocket: () => ChangeFeedSocket
  /** Runs a callback after a delay. The returned function cancels the callback. */
  readonly later: (ms: number, run: () => void) => () => void
  /** The id of this tab, which distinguishes changes made in this tab from all others. */
  readonly origin: string
  /**
   * Called when somebody else has changed the folder. `missed` means that changes may have been missed while the socket
   * was disconnected.
   */
  readonly onChange: (folder: Path, change: ChangeMessage | 'missed') => void
  /** Called when somebody else has changed one of the followed folders. `missed` has the same meaning. */
  readonly onFollowed: (folder: Path, change: ChangeMessage | 'missed') => void
  /** Called when the server reports a change of the folder that this tab has made. Its result is already on screen. */
  readonly onOwnChange: (change: ChangeMessage) => void
  /** Called when the server reports changes of the folder from now on, with the time of its last change and, unless it is large, the sum of its files. */
  readonly onWatching: (folder: Path, modifiedMs: number, sum: number | null) => void
  /** Called when the rights of the user have changed. */
  readonly onRights: () => void
  /** Called when the connection to the server has been established. */
  readonly onConnect: () => void
  /** Called when the connection to the server is lost. */
  readonly onDisconnect: () => void
}

export type ChangeFeed = {
  /** Watches the given folder instead of the previous folder. Null watches no folder. */
  readonly watch: (folder: Path | null) => void
  /** Follows these folders as well, in place of the previous ones. */
  readonly follow: (folders: readonly Path[]) => void
  /** Treats the connection as lost, for example because the device has left the network. */
  readonly disconnect: () => void
  /** Connects immediately when there is no connection, for example because the device is in a network again. */
  readonly reconnect: () => void
  readonly close: () => void
}

const firstRetryMs = 1000
/**
 * The maximum delay between two attempts to connect. The delay doubles after each failed attempt, so that many clients
 * do not flood a server that restarts.
 */
const maxRetryMs = 30_000
/**
 * The silence after which the client sends its folders again, which the server answers, and the time limit of this
 * answer. A network that only drops packets closes no socket: the loss is noticed after at most the sum of both times.
 */
const checkAfterMs = 10_000
const maxAnswerMs = 5000

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
  followed: readonly Path[]
  /** The token with which the server continues a lost connection, and the id of the last message. */
  resume: string | null
  lastId: number
  retryMs: number
  cancelRetry: () => void
  cancelCheck: () => void
}

/**
 * Keeps a socket open on which the server reports changes of the open folder and of the followed folders. Reconnects when the connection is lost,
 * and receives the changes since then. When the server does not know them any more, reports that changes were missed.
 */
export function startChangeFeed(dependencies: ChangeFeedDependencies): ChangeFeed {
  const state: ChangeFeedState = {
    dependencies,
    socket: null,
    isOpen: false,
    isClosed: false,
    wasOpen: false,
    folder: null,
    followed: [],
    resume: null,
    lastId: 0,
    retryMs: firstRetryMs,
    cancelRetry: () => undefined,
    cancelCheck: () => undefined,
  }
  connect(state)
  return {
    watch: (folder) => {
      if (folder === state.folder) return
      state.folder = folder
      if (state.isOpen) sendWatch(state)
    },
    follow: (folders) => {
      if (folders.join('/') === state.followed.join('/')) return
      state.followed = folders
      if (state.isOpen) sendWatch(state)
    },
    disconnect: () => disconnect(state),
    reconnect: () => {
      if (state.socket !== null || state.isClosed) return
      state.cancelRetry()
      connect(state)
    },
    close: () => {
      state.isClosed = true
      state.cancelRetry()
      state.cancelCheck()
      state.socket?.close()
    },
  }
}

function connect(state: ChangeFeedState): void {
  const { openSocket, onConnect } = state.dependencies
  const socket = openSocket()
  state.socket = socket
  const whileCurrent =
    (react: (event: MessageEvent) => void) =>
    (event: Event): void => {
      if (state.socket === socket) react(event as MessageEvent)
    }
  socket.addEventListener(
    'open',
    whileCurrent(() => {
      state.isOpen = true
      state.retryMs = firstRetryMs
      sendWatch(state)
      checkLater(state)
      onConnect()
    }),
  )
  socket.addEventListener(
    'message',
    whileCurrent(({ data }) => {
      checkLater(state)
      receiveMessage(state, data)
    }),
  )
  socket.addEventListener(
    'close',
    whileCurrent(() => disconnect(state)),
  )
}

/** Closes the socket, and connects again later. */
function disconnect(state: ChangeFeedState): void {
  const { socket, isClosed, dependencies } = state
  if (socket === null || isClosed) return
  state.socket = null
  state.isOpen = false
  state.cancelCheck()
  socket.close()
  dependencies.onDisconnect()
  state.cancelRetry = dependencies.later(state.retryMs, () => connect(state))
  state.retryMs = Math.min(state.retryMs * 2, maxRetryMs)
}

/** Checks after a time of silence whether the server still answers. */
function checkLater(state: ChangeFeedState): void {
  const { later } = state.dependencies
  state.cancelCheck()
  state.cancelCheck = later(checkAfterMs, () => {
    sendWatch(state)
    state.cancelCheck = later(maxAnswerMs, () => disconnect(state))
  })
}

function sendWatch({ socket, folder, followed, resume, lastId }: ChangeFeedState): void {
  const watch = [...new Set([...(folder === null ? [] : [folder]), ...followed])]
  const message: WatchMessage = { watch, resume, since: lastId }
  socket?.send(JSON.stringify(message))
}

function receiveMessage(state: ChangeFeedState, data: unknown): void {
  const { dependencies, folder, followed } = state
  const message = parse(data)
  if (typeof message.resume === 'string') return takeConnection(state, message as ConnectionMessage)
  if (message.rights !== undefined) return dependencies.onRights()
  if (folder !== null && message.watching === folder)
    return dependencies.onWatching(folder, message.modifiedMs ?? 0, message.sum ?? null)
  if (typeof message.path !== 'string') return
  const change = message as ChangeMessage
  state.lastId = change.id
  const paths = [change.path, change.to].filter((path) => path !== undefined)
  const isIn = (watched: Path): boolean => paths.some((path) => concerns(path as Path, watched))
  const isOpenFolder = folder !== null && (isIn(folder) || isMoveOf(change, folder))
  if (change.origin === dependencies.origin) {
    if (isOpenFolder) dependencies.onOwnChange(change)
    return
  }
  if (isOpenFolder) dependencies.onChange(folder, change)
  for (const one of followed) if (isIn(one)) dependencies.onFollowed(one, change)
}

/** Returns true when a changed path is the folder itself or one of its direct entries. */
const concerns = (path: Path, folder: Path): boolean => path === folder || parentOf(path) === folder

/** Returns true when a folder is at another place after a change, because it or a folder above it was moved. */
const isMoveOf = ({ kind, path, to }: ChangeMessage, folder: Path): boolean =>
  kind === 'moved' && to !== undefined && isWithin(folder, path as Path)

/** Takes the answer of the server to the first message of a connection. */
function takeConnection(state: ChangeFeedState, { resume, isResumed }: ConnectionMessage): void {
  const { dependencies, folder, followed, wasOpen } = state
  if (resume !== state.resume) state.lastId = 0
  state.resume = resume
  state.wasOpen = true
  if (!wasOpen || isResumed) return
  if (folder !== null) dependencies.onChange(folder, 'missed')
  for (const one of followed) dependencies.onFollowed(one, 'missed')
}

type ServerMessage = Partial<ChangeMessage & ConnectionMessage & RightsMessage & WatchingMessage>

/** Parses a message from the server. Returns an empty object for a text that is not a message. */
function parse(data: unknown): ServerMessage {
  try {
    return (typeof data === 'string' ? (JSON.parse(data) as ServerMessage | null) : null) ?? {}
  } catch {
    return {}
  }
}
