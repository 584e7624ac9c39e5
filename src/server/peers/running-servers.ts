import { realpathSync } from 'node:fs'
import { createConnection } from 'node:net'
import { openSocketFolder } from './socket-folder.ts'

/** Returns the folder in which the servers of a database file on this machine have their sockets. */
export const socketFolderOf = (file: string): string => `${realpathSync(file)}.servers`

/**
 * Returns true while servers of a database file run on this machine. A server that could not open its socket is not seen, and
 * no server is seen in a folder of another user.
 */
export const otherServersRun = async (file: string): Promise<boolean> =>
  areServersRunning(socketFolderOf(file)).catch(() => false)

/** Returns true when at least one server listens on a socket in this folder. */
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
