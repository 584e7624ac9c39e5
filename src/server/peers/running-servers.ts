import { createConnection } from 'node:net'
import { openSocketFolder } from './socket-folder.ts'

/** Returns true when at least one server of the state listens on a socket in this folder. */
export async function areServersRunning(folder: string): Promise<boolean> {
  const sockets = openSocketFolder(folder)
  try {
    const found = await Promise.all(sockets.names().map((name) => isListening(sockets.addressOf(name))))
    return found.includes(true)
  } finally {
    sockets.close()
  }
}

function isListening(address: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const socket = createConnection(address)
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  return promise.finally(() => socket.destroy())
}
