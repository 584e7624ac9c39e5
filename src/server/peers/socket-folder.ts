import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { join } from 'node:path'

/** The folder with the sockets of the servers of one state on this machine. */
export type SocketFolder = {
  /** Returns the names of the sockets in the folder, and none when it cannot be read. */
  readonly names: () => readonly string[]
  /** Returns the address at which a server listens or is reached. */
  readonly addressOf: (name: string) => string
  /** Removes the socket that an ended server has left. One that cannot be removed stays. */
  readonly remove: (name: string) => void
  readonly close: () => void
}

/** The bytes of an address that every system accepts. Linux accepts 107, and macOS 103. */
const maxAddressBytes = 100

/** The names of sockets: 16 random hexadecimal digits. */
const socketName = /^[0-9a-f]{16}$/

/**
 * Opens the folder, and creates it when it is missing. Only the user of the server can reach the sockets: throws for a
 * folder that other users could enter. On Linux, a folder with a long path is reached through its file descriptor, because
 * the address of a socket is short.
 */
export function openSocketFolder(folder: string): SocketFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  requirePrivateFolder(folder)
  const isLong = Buffer.byteLength(join(folder, '0'.repeat(16))) > maxAddressBytes
  const descriptor =
    isLong && existsSync('/proc/self/fd')
      ? openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW)
      : null
  const base = descriptor === null ? folder : `/proc/self/fd/${descriptor}`
  return {
    names() {
      try {
        return readdirSync(folder).filter((name) => socketName.test(name))
      } catch {
        // The folder was removed, or the process has no file descriptor left. Servers are found again by their own attempts.
        return []
      }
    },
    addressOf: (name) => join(base, name),
    remove(name) {
      try {
        rmSync(join(folder, name), { force: true })
      } catch {
        // The socket of an ended server only costs each new server one attempt to connect.
      }
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
    },
  }
}

/**
 * Throws when the path is a link, or a folder of another user or with permissions for others, who could then read the
 * messages or send some. A system without user ids is not checked.
 */
function requirePrivateFolder(folder: string): void {
  const ownId = process.getuid?.()
  if (ownId === undefined) return
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== ownId || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} is not a folder that only the user of this server can enter (mode 0700)`)
}
