import type {
  ChangeMessage,
  ConnectionMessage,
  RightsMessage,
  WatchMessage,
} from '../../shared/contract/events.ts'
import { pathOf, type Path } from '../../shared/domain/path.ts'
import type { ClientSocket } from '../http/socket-route.ts'
import {
  subscribeToFolders,
  type ChangeSubscriber,
  type SubscriberDependencies,
} from './change-subscriber.ts'
import type { Timer } from '../concurrency/later.ts'
import type { EventLimits } from './event-limits.ts'
import { createFolderBudget, type FolderBudget } from './folder-budget.ts'
import { createMessageSender, type MessageSender } from './message-sender.ts'
import type { RightsWatch } from './rights-watch.ts'
import { createSentStateStores, type SentStates } from './watched-folder.ts'
import { createMessageStores, type StoredMessages } from './stored-messages.ts'
import { createWorkQueue } from './work-queue.ts'

export type ConnectionDependencies = Omit<SubscriberDependencies, 'newSentStates'> & {
  readonly later: Timer
  /** Returns a new random token. */
  readonly newToken: () => string
  readonly watchRights: RightsWatch
  readonly limits: EventLimits
}

/** A client of the events socket, which may lose its connection and return with a new one. */
type EventClient = {
  readonly userId: number
  /** The token with which the client can return. Null when the client did not ask for one. */
  token: string | null
  readonly subscriber: ChangeSubscriber
  socket: ClientSocket | null
  /** The key of the access that the user had when the client began, or at the last message. */
  accessKey: string | null
  /** The number of folders that the client watches. */
  folders: number
  lastId: number
  readonly stored: StoredMessages
  cancelExpiry: () => void
}

/** The state that all connections of a server share. */
type SharedState = {
  readonly dependencies: ConnectionDependencies
  /** The clients that can return with their tokens, in the order in which they connected. */
  readonly resumable: Map<string, EventClient>
  readonly budget: FolderBudget
  readonly sender: MessageSender
  readonly newStore: () => StoredMessages
  readonly newSentStates: () => SentStates
}

/** Serves the events socket: one call for each new connection. */
export function createConnections(
  dependencies: ConnectionDependencies,
): (userId: number, socket: ClientSocket) => void {
  const { limits } = dependencies
  const shared: SharedState = {
    dependencies,
    resumable: new Map(),
    budget: createFolderBudget(limits),
    sender: createMessageSender(limits),
    newStore: createMessageStores(limits),
    newSentStates: createSentStateStores(limits),
  }
  return (userId, socket) => serveConnection(shared, userId, socket)
}

function serveConnection(shared: SharedState, userId: number, socket: ClientSocket): void {
  const { dependencies, resumable, sender } = shared
  let client = createClient(shared, userId, socket)
  let waiting: WatchMessage | null = null
  const queue = createWorkQueue(dependencies.onFault)

  async function receive(): Promise<void> {
    const message = waiting
    waiting = null
    // The client has returned with another socket, and this message is older than those of that one.
    if (message === null || client.socket !== socket) return
    const accessKey = message.resume === undefined ? null : await dependencies.accessKeyOf(userId)
    const absent = absentClientOf(shared, message, userId)
    if (absent !== null && absent !== client) {
      forget(shared, client)
      client = absent
      resume(shared, client, { socket, since: message.since ?? 0, accessKey })
    } else if (message.resume !== undefined) {
      // A client that has a token checks whether the connection still works. It has missed nothing.
      const isResumed = client.token !== null
      const token = client.token ?? makeResumable(client, dependencies.newToken(), accessKey)
      resumable.set(token, client)
      sender.send(socket, JSON.stringify({ resume: token, isResumed } satisfies ConnectionMessage))
    }
    watchFolders(shared, client, new Set(message.watch.flatMap((path) => pathOf(path) ?? [])))
  }

  const stopWatchingRights = dependencies.watchRights(userId, () => {
    client.subscriber.checkAccess()
    if (client.token !== null && client.socket === socket)
      sender.send(socket, JSON.stringify({ rights: 'changed' } satisfies RightsMessage))
  })
  sender.add(socket)
  socket.onMessage((text) => {
    const message = messageOf(text, dependencies.limits)
    if (message === null) return socket.close()
    // Each message contains all folders, so a later message replaces one that was not handled yet.
    waiting = { ...waiting, ...message }
    queue.add('receive', receive)
  })
  socket.onClose(() => {
    stopWatchingRights()
    queue.add('leave', async () => leave(shared, client, socket))
  })
}

function createClient(shared: SharedState, userId: number, socket: ClientSocket): EventClient {
  const { dependencies, sender, newStore, newSentStates } = shared
  const client: EventClient = {
    userId,
    token: null,
    subscriber: subscribeToFolders({ ...dependencies, newSentStates }, userId, {
      send: (message, accessKey) => sendChange(sender, client, { message, accessKey }),
      sendStatus: (message) => {
        if (client.token !== null && client.socket !== null)
          sender.send(client.socket, JSON.stringify(message))
      },
    }),
    socket,
    accessKey: null,
    folders: 0,
    lastId: 0,
    stored: newStore(),
    cancelExpiry: () => {},
  }
  return client
}

/** Watches as many of the folders as the limits allow, the first ones first. */
function watchFolders(shared: SharedState, client: EventClient, wanted: ReadonlySet<Path>): void {
  const { userId, subscriber } = client
  client.folders = shared.budget.exchange(userId, client.folders, wanted.size)
  subscriber.watch(client.folders === wanted.size ? wanted : new Set([...wanted].slice(0, client.folders)))
}

function leave(shared: SharedState, client: EventClient, socket: ClientSocket): void {
  if (client.socket !== socket) return
  client.socket = null
  if (client.token === null) return forget(shared, client)
  const { limits, later } = shared.dependencies
  client.cancelExpiry = later(limits.absenceMs, () => forget(shared, client))
  const absent = [...shared.resumable.values()].filter(({ socket }) => socket === null)
  const ofUser = absent.filter(({ userId }) => userId === client.userId)
  const tooMany = [
    ...ofUser.slice(0, Math.max(0, ofUser.length - limits.absentClientsPerUser)),
    ...absent.slice(0, Math.max(0, absent.length - limits.absentClients)),
  ]
  for (const oldest of tooMany) forget(shared, oldest)
}

/** Ends a client, which cannot return. */
function forget({ resumable, budget }: SharedState, client: EventClient): void {
  client.cancelExpiry()
  client.subscriber.stop()
  client.stored.clear()
  budget.exchange(client.userId, client.folders, 0)
  client.folders = 0
  if (client.token !== null) resumable.delete(client.token)
}

/** Returns the user's client whose token the message contains, or null when the client is unknown or has expired. */
function absentClientOf(
  { resumable }: SharedState,
  message: WatchMessage,
  userId: number,
): EventClient | null {
  const client = resumable.get(message.resume ?? '')
  return client === undefined || client.userId !== userId ? null : client
}

/**
 * Gives a client its new connection, and sends what it has missed, unless the rights of the user have changed. The
 * messages may then contain names that the user may not know any more.
 */
function resume(
  { sender }: SharedState,
  client: EventClient,
  { socket, since, accessKey }: ResumePoint,
): void {
  client.cancelExpiry()
  const previous = client.socket
  client.socket = socket
  previous?.close()
  const firstId = client.stored.all()[0]?.id ?? client.lastId + 1
  const isResumed = client.accessKey === accessKey && since >= firstId - 1 && since <= client.lastId
  forgetMessagesOfOtherAccess(client, accessKey)
  const answer = { resume: client.token ?? '', isResumed } satisfies ConnectionMessage
  sender.send(socket, JSON.stringify(answer))
  if (isResumed) for (const { id, text } of client.stored.all()) if (id > since) sender.send(socket, text)
}

/** Gives a client the token with which it can return, and returns the token. */
function makeResumable(client: EventClient, token: string, accessKey: string | null): string {
  client.token = token
  client.accessKey = accessKey
  return token
}

/**
 * The point from which a client receives changes after a lost connection: its new socket, the id of the last change that
 * it received, and the access that its user has now.
 */
type ResumePoint = {
  readonly socket: ClientSocket
  readonly since: number
  readonly accessKey: string | null
}

function forgetMessagesOfOtherAccess(client: EventClient, accessKey: string | null): void {
  if (client.accessKey !== accessKey) client.stored.clear()
  client.accessKey = accessKey
}

type ReadChange = { readonly message: Omit<ChangeMessage, 'id'>; readonly accessKey: string }

function sendChange(sender: MessageSender, client: EventClient, { message, accessKey }: ReadChange): void {
  forgetMessagesOfOtherAccess(client, accessKey)
  client.lastId += 1
  const id = client.lastId
  const text = JSON.stringify({ id, ...message } satisfies ChangeMessage)
  if (client.token !== null) client.stored.add({ id, text })
  if (client.socket !== null) sender.send(client.socket, text)
}

/** Parses a message of a client. Returns null when the message is not valid. */
function messageOf(text: string, { foldersPerClient }: EventLimits): WatchMessage | null {
  const message = parseJson(text)
  if (typeof message !== 'object' || message === null) return null
  const { watch, resume, since } = message as Partial<Record<keyof WatchMessage, unknown>>
  if (!Array.isArray(watch) || watch.length > foldersPerClient) return null
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
