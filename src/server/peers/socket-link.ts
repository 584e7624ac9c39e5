import { once } from 'node:events'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import type { Timer } from '../concurrency/later.ts'
import { withinTime } from '../concurrency/within-time.ts'
import { peerLimits, type PeerLimits, type PeerLink, type PeerListener } from './peer-link.ts'
import { readJsonLines } from './read-lines.ts'
import { openSocketFolder, type SocketFolder } from './socket-folder.ts'

export type SocketLinkOptions = {
  /** The folder in which all servers of the state have their sockets. */
  readonly folder: string
  /** The name of this server: 16 hexadecimal digits that no other server has. */
  readonly name: string
  readonly listener: PeerListener
  readonly later: Timer
  readonly limits?: PeerLimits
}

/** The first line on a connection, from the server that was connected to. */
type Greeting = { readonly isServing: boolean }

/** The last line of a server that stops, after which nothing is missing. */
const farewell = null

/** The time in milliseconds for which a starting server waits for its peers. A stopped peer does not respond. */
const maxStartMs = 1000
/** The time in milliseconds for which a stopping server waits until its peers have read what it has sent. */
const maxEndMs = 1000
/** The times in milliseconds after which a lost connection to a peer is tried again. */
const retryMs = [50, 500, 5000] as const

type SocketLinkState = SocketLinkOptions & {
  readonly limits: PeerLimits
  readonly sockets: SocketFolder
  /** The connections on which this server sends, one for each peer. */
  readonly subscribers: Set<Socket>
  /** The connections on which this server receives, by the names of the peers. */
  readonly subscriptions: Map<string, Socket>
  /** The functions that are called when the peers with these names have connected, while this server starts. */
  readonly onArrival: Map<string, () => void>
  /** True from the moment in which clients may use this server. */
  isServing: boolean
  isClosing: boolean
}

/**
 * Links the servers of one state on one machine. Each server listens on a socket in a folder. A peer connects to it to
 * receive its messages, and is connected to in return. A connection that breaks, or whose peer does not read, is made
 * again, and the messages in between count as lost.
 *
 * Resolves when this server and those that were there before it receive each other's messages.
 */
export async function openSocketLink(options: SocketLinkOptions): Promise<PeerLink> {
  const sockets = openSocketFolder(options.folder)
  const state: SocketLinkState = {
    limits: peerLimits,
    ...options,
    sockets,
    subscribers: new Set(),
    subscriptions: new Map(),
    onArrival: new Map(),
    isServing: false,
    isClosing: false,
  }
  const server = createServer((socket) => addSubscriber(state, socket)).unref()
  // A connection that cannot be accepted is tried again by the peer.
  server.on('error', () => {})
  try {
    await listen(server, sockets.addressOf(options.name))
    await meetPeers(state)
  } catch (error) {
    server.close()
    sockets.close()
    throw error
  }
  state.isServing = true
  return {
    send(createMessage) {
      if (state.subscribers.size === 0) return
      const line = `${JSON.stringify(createMessage())}\n`
      for (const socket of state.subscribers) sendLine(state, socket, line)
    },
    close: () => close(state, server),
  }
}

async function listen(server: Server, address: string): Promise<void> {
  server.listen(address)
  await once(server, 'listening')
}

/** Connects to the servers that are there. One that starts at the same time is among them, or finds this server itself. */
async function meetPeers(state: SocketLinkState): Promise<void> {
  const meet = async (name: string): Promise<void> => {
    // A peer that has arrived already was connected to in return.
    if (state.subscriptions.has(name)) return
    const { promise: hasArrived, resolve } = Promise.withResolvers<void>()
    state.onArrival.set(name, resolve)
    if (await subscribe(state, name)) await hasArrived
  }
  const others = state.sockets.names().filter((name) => name !== state.name)
  // The timer keeps the process alive, which the sockets do not.
  await withinTime(Promise.all(others.map(meet)), maxStartMs)
  state.onArrival.clear()
}

/** Accepts a peer, which sends its name once and then receives the messages of this server. */
function addSubscriber(state: SocketLinkState, socket: Socket): void {
  socket.unref()
  socket.on('error', () => socket.destroy())
  socket.on('close', () => void state.subscribers.delete(socket))
  state.subscribers.add(socket)
  sendLine(state, socket, `${JSON.stringify({ isServing: state.isServing } satisfies Greeting)}\n`)
  readJsonLines(socket, {
    maxCharacters: state.limits.messageCharacters,
    onLine(value) {
      if (typeof value !== 'string' || !state.sockets.names().includes(value)) return
      state.onArrival.get(value)?.()
      void subscribe(state, value)
    },
  })
}

/** Sends a line, or closes the connection of a peer that has not read the lines before. */
function sendLine({ limits }: SocketLinkState, socket: Socket, line: string): void {
  if (socket.writableLength > limits.waitingCharacters || line.length > limits.messageCharacters)
    socket.destroy()
  else socket.write(line)
}

/**
 * Receives the messages of a peer from now on, unless this server does so already. Resolves with true when the peer has
 * greeted this server, and with false when it cannot be reached.
 */
function subscribe(state: SocketLinkState, name: string, attempt = 0): Promise<boolean> {
  const { subscriptions, sockets, listener } = state
  if (state.isClosing || name === state.name || subscriptions.has(name)) return Promise.resolve(true)
  const { promise: isGreeted, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection(sockets.addressOf(name)).unref()
  subscriptions.set(name, socket)
  let hasGreeting = false
  socket.on('connect', () => socket.write(`${JSON.stringify(state.name)}\n`))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    // The first attempt may have come before the peer listens.
    if (error.code === 'ECONNREFUSED' && attempt > 0) sockets.remove(name)
  })
  socket.on('close', () => {
    subscriptions.delete(name)
    resolve(false)
    if (state.isClosing) return
    if (hasGreeting) listener.onLoss()
    retry(state, name, hasGreeting ? 0 : attempt)
  })
  readJsonLines(socket, {
    maxCharacters: state.limits.messageCharacters,
    onLine(value) {
      if (value === farewell) hasGreeting = false
      else if (hasGreeting) return listener.onMessage(value)
      else greet(value)
    },
  })
  function greet(value: unknown): void {
    hasGreeting = true
    resolve(true)
    // A peer that serves already may have made changes before this connection.
    if ((value as Partial<Greeting>).isServing !== false) listener.onLoss()
  }
  return isGreeted
}

/** Connects to a peer again after a while, unless its socket has disappeared. */
function retry(state: SocketLinkState, name: string, attempt: number): void {
  const delayMs = retryMs[attempt]
  if (delayMs === undefined) return
  state.later(delayMs, () => {
    if (!state.isClosing && state.sockets.names().includes(name)) void subscribe(state, name, attempt + 1)
  })
}

async function close(state: SocketLinkState, server: Server): Promise<void> {
  state.isClosing = true
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
  for (const socket of state.subscriptions.values()) socket.destroy()
  // `destroySoon` sends what waits. A peer that does not read it is not waited for.
  for (const socket of state.subscribers) {
    sendLine(state, socket, `${JSON.stringify(farewell)}\n`)
    socket.destroySoon()
  }
  if ((await withinTime(closed, maxEndMs)) === 'late')
    for (const socket of state.subscribers) socket.destroy()
  state.sockets.close()
}
