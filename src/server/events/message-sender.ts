import type { ClientSocket } from '../http/socket-route.ts'
import type { EventLimits } from './event-limits.ts'

/** Sends messages to clients as long as the clients read them. */
export type MessageSender = {
  /** Counts the unread messages of a socket until it is closed. */
  readonly add: (socket: ClientSocket) => void
  /** Sends a message. Closes the socket instead when too many earlier messages have not been read. */
  readonly send: (socket: ClientSocket, text: string) => void
}

/** The part of the limit of one client up to which the messages of the other clients are not counted. */
const uncountedPart = 1 / 16

export function createMessageSender({
  unreadBytesPerClient,
  unreadBytes,
}: Pick<EventLimits, 'unreadBytesPerClient' | 'unreadBytes'>): MessageSender {
  const sockets = new Set<ClientSocket>()
  const bytesOfAll = (): number => [...sockets].reduce((sum, socket) => sum + socket.waitingBytes(), 0)
  return {
    add(socket) {
      sockets.add(socket)
      socket.onClose(() => void sockets.delete(socket))
    },
    send(socket, text) {
      const waitingBytes = socket.waitingBytes()
      const isSlow = waitingBytes > unreadBytesPerClient * uncountedPart
      if (waitingBytes > unreadBytesPerClient || (isSlow && bytesOfAll() > unreadBytes)) socket.close()
      else socket.send(text)
    },
  }
}
