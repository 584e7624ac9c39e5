import type {
  ChangeMessage,
  ConnectionMessage,
  RightsMessage,
  WatchMessage,
} from '../../shared/contract/events.ts'
import { pathOf } from '../../shared/domain/path.ts'
import type { ClientSocket } from '../http/socket-route.ts'
import {
  subscribeToFolders,
  type ChangeSubscriber,
  type SubscriberDependencies,
} from './change-subscriber.ts'
import type { Timer } from '../concurrency/later.ts'
import type { RightsWatch } from './rights-watch.ts'

export type ConnectionDependencies = SubscriberDependencies & {
  readonly later: Timer
  /** Returns a new random token. */
  readonly newToken: () => string
  readonly watchRights: RightsWatch
}

/** The maximum number of folders that a client may watch. No screen of our client displays so many folders. */
const maxFolders = 1000
/**
 * The maximum size of the messages that a client has not read yet: 1 MiB. Above this size, the socket is closed,
 * because the client can list its folders again faster than it would read all messages.
 */
const maxWaitingBytes = 1024 * 1024
/** The time for which changes are collected for a client that has lost its connection, in milliseconds. */
const maxAbsenceMs = 60_000
/**
 * The number of clients without a connection for which changes are collected. Beyond it, the clients are forgotten that
 * connected first.
 */
const maxAbsent = 1000
/** The number of last messages that are stored for each client, to send them again after a lost connection. */
const maxStored = 200

/** A client of the events socket, which may lose its connection and return with a new one. */
type EventClient = {
  readonly userId: number
  /** The token with which the client can return. Null when the client did not ask for one. */
  token: string | null
  readonly subscriber: ChangeSubscriber
  socket: ClientSocket | null
  /** The key of the access that the user had when the client began, or at the last message. */
  accessKey: string | null
  lastId: number
  /** The last messages, oldest first. */
  stored: { readonly id: number; readonly text: string }[]
  cancelExpiry: () => void
}

/** Serves the events socket: one call for each new connection. */
export function createConnections(
  dependencies: ConnectionDependencies,
): (userId: number, socket: ClientSocket) => void {
  const resumable = new Map<string, EventClient>()

  function leave(client: EventClient, socket: ClientSocket): void {
    if (client.socket !== socket) return
    client.socket = null
    if (client.token === null) return client.subscriber.stop()
    client.cancelExpiry = dependencies.later(maxAbsenceMs, () => forget(client))
    const absent = [...resumable.values()].filter(({ socket }) => socket === null)
    for (const oldest of absent.slice(0, Math.max(0, absent.length - maxAbsent))) forget(oldest)
  }

  function forget(client: EventClient): void {
    client.cancelExpiry()
    client.subscriber.stop()
    if (client.token !== null) resumable.delete(client.token)
  }

  /** Returns the user's client whose token the message contains, or null when the client is unknown or has expired. */
  function absentClientOf(message: WatchMessage, userId: number): EventClient | null {
    const client = resumable.get(message.resume ?? '')
    return client === undefined || client.userId !== userId ? null : client
  }

  return (userId, socket) => {
    let client = createClient(dependencies, userId, socket)
    let lastWork = Promise.resolve()
    const enqueue = (work: () => Promise<void>): void => {
      lastWork = lastWork.then(work).catch(dependencies.onFault)
    }

    async function receive(text: string): Promise<void> {
      const message = messageOf(text)
      if (message === null) return socket.close()
      // The client has returned with another socket, and this message is older than those of that one.
      if (client.socket !== socket) return
      const accessKey = message.resume === undefined ? null : await dependencies.accessKeyOf(userId)
      const absent = absentClientOf(message, userId)
      if (absent !== null && absent !== client) {
        forget(client)
        client = absent
        resume(client, socket, { since: message.since ?? 0, accessKey })
      } else if (message.resume !== undefined) {
        // A client that has a token checks whether the connection still works. It has missed nothing.
        const isResumed = client.token !== null
        const token = client.token ?? makeResumable(client, dependencies.newToken(), accessKey)
        resumable.set(token, client)
        sendJson(socket, { resume: token, isResumed } satisfies ConnectionMessage)
      }
      client.subscriber.watch(new Set(message.watch.flatMap((path) => pathOf(path) ?? [])))
    }

    const stopWatchingRights = dependencies.watchRights(userId, () => {
      client.subscriber.checkAccess()
      if (client.token !== null && client.socket === socket)
        sendJson(socket, { rights: 'changed' } satisfies RightsMessage)
    })
    socket.onMessage((text) => enqueue(() => receive(text)))
    socket.onClose(() => {
      stopWatchingRights()
      enqueue(async () => leave(client, socket))
    })
  }
}

function createClient(
  dependencies: ConnectionDependencies,
  userId: number,
  socket: ClientSocket,
): EventClient {
  const client: EventClient = {
    userId,
    token: null,
    subscriber: subscribeToFolders(dependencies, userId, {
      send: (message, accessKey) => sendChange(client, message, accessKey),
      sendStatus: (message) => {
        if (client.token !== null && client.socket !== null) sendJson(client.socket, message)
      },
    }),
    socket,
    accessKey: null,
    lastId: 0,
    stored: [],
    cancelExpiry: () => {},
  }
  return client
}

/**
 * Gives a client its new connection, and sends what it has missed, unless the rights of the user have changed. The
 * messages may then contain names that the user may not know any more.
 */
function resume(client: EventClient, socket: ClientSocket, { since, accessKey }: ResumePoint): void {
  client.cancelExpiry()
  const previous = client.socket
  client.socket = socket
  previous?.close()
  const firstId = client.stored[0]?.id ?? client.lastId + 1
  const isResumed = client.accessKey === accessKey && since >= firstId - 1 && since <= client.lastId
  forgetMessagesOfOtherAccess(client, accessKey)
  sendJson(socket, { resume: client.token ?? '', isResumed } satisfies ConnectionMessage)
  if (isResumed) for (const { id, text } of client.stored) if (id > since) socket.send(text)
}

/** Gives a client the token with which it can return, and returns the token. */
function makeResumable(client: EventClient, token: string, accessKey: string | null): string {
  client.token = token
  client.accessKey = accessKey
  return token
}

/**
 * The point from which a client receives changes after a lost connection: the id of the last change that it received, and
 * the access that its user has now.
 */
type ResumePoint = { readonly since: number; readonly accessKey: string | null }

function forgetMessagesOfOtherAccess(client: EventClient, accessKey: string | null): void {
  if (client.accessKey !== accessKey) client.stored = []
  client.accessKey = accessKey
}

function sendChange(client: EventClient, change: Omit<ChangeMessage, 'id'>, accessKey: string): void {
  forgetMessagesOfOtherAccess(client, accessKey)
  client.lastId += 1
  const message: ChangeMessage = { id: client.lastId, ...change }
  const text = JSON.stringify(message)
  if (client.token !== null) {
    client.stored.push({ id: message.id, text })
    if (client.stored.length > maxStored) client.stored.shift()
  }
  if (client.socket === null) return
  if (client.socket.waitingBytes() > maxWaitingBytes) return client.socket.close()
  client.socket.send(text)
}

const sendJson = (socket: ClientSocket, message: object): void => socket.send(JSON.stringify(message))

/** Parses a message of a client. Returns null when the message is not valid. */
function messageOf(text: string): WatchMessage | null {
  const message = parseJson(text)
  if (typeof message !== 'object' || message === null) return null
  const { watch, resume, since } = message as Partial<Record<keyof WatchMessage, unknown>>
  if (!Array.isArray(watch) || watch.length > maxFolders) return null
  return {
    watch: watch.filter((path) => typeof path === 'string'),
    ...((resume === null || typeof resume === 'string') && { resume }),
    ...(Number.isSafeInteger(since) && { since: since as number }),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
