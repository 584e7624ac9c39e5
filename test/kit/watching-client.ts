import { once } from 'node:events'
import { expect } from 'vitest'
import { WebSocket } from 'ws'
import type {
  ChangeMessage,
  ConnectionMessage,
  RightsMessage,
  WatchingMessage,
  WatchMessage,
} from '../../src/shared/contract/events.ts'
import type { SignedInUser, TestApp } from './start-app.ts'

/** A connection to the events socket that collects the messages as they arrive. */
export type WatchingClient = {
  readonly socket: WebSocket
  readonly next: () => Promise<ChangeMessage>
  readonly seen: ChangeMessage[]
  readonly statuses: readonly (ConnectionMessage | RightsMessage | WatchingMessage)[]
}

/** Connects a client that watches folders and collects the messages as they arrive. */
export async function connectWatcher(
  app: Pick<TestApp, 'url'>,
  person: Pick<SignedInUser, 'token'>,
  folders: readonly string[],
  resumption: Omit<WatchMessage, 'watch'> = { resume: null },
): Promise<WatchingClient> {
  const socket = new WebSocket(`${app.url.replace('http', 'ws')}/api/events`, {
    headers: { 'x-auth': person.token },
  })
  const seen: ChangeMessage[] = []
  const statuses: (ConnectionMessage | RightsMessage | WatchingMessage)[] = []
  const waiting: ((message: ChangeMessage) => void)[] = []
  let taken = 0
  socket.on('message', (text: Buffer) => {
    const message = JSON.parse(text.toString()) as
      | ChangeMessage
      | ConnectionMessage
      | RightsMessage
      | WatchingMessage
    if (!('id' in message)) {
      statuses.push(message)
      return
    }
    seen.push(message)
    if (waiting.length > 0) waiting.shift()?.(seen[(taken += 1) - 1]!)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ watch: folders, ...resumption }))
  const next = () =>
    new Promise<ChangeMessage>((resolve) => {
      if (taken < seen.length) resolve(seen[(taken += 1) - 1]!)
      else waiting.push(resolve)
    })
  // The response to a ping proves that the server has read the message before it.
  socket.ping()
  await once(socket, 'pong')
  return { socket, next, seen, statuses }
}

/** Resolves when the server has told the client `times` times that it reports changes of the folder from now on. */
export const startOfWatch = (client: WatchingClient, folder: string, times = 1): Promise<void> =>
  expect
    .poll(() => client.statuses.filter((status) => 'watching' in status && status.watching === folder).length)
    .toBe(times)

/** Resolves with the answer to the client's last message. */
export async function connectionOf(client: WatchingClient): Promise<ConnectionMessage> {
  const find = () => client.statuses.findLast((status) => 'resume' in status)
  await expect.poll(find).toBeDefined()
  return find()!
}
