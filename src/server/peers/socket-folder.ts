import { closeSync, constants, existsSync, mkdirSync, openSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** The folder with the sockets of the servers of one state on this machine. */
export type SocketFolder = {
  /** Returns the names of the sockets in the folder. */
  readonly names: () => readonly string[]
  /** Returns the address at which a server listens or is reached. */
  readonly addressOf: (name: string) => string
  /** Removes the socket that an ended server has left. */
  readonly remove: (name: string) => void
  readonly close: () => void
}

/** The bytes of an address that every system accepts. Linux accepts 107, and macOS 103. */
const maxAddressBytes = 100

/** The names of sockets: 16 random hexadecimal digits. */
const socketName = /^[0-9a-f]{16}$/

/**
 * Opens the folder, and creates it when it is missing. Only the user of the server can reach the sockets. On Linux, a folder
 * with a long path is reached through its file descriptor, because the address of a socket is short.
 */
export function openSocketFolder(folder: string): SocketFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const isLong = Buffer.byteLength(join(folder, '0'.repeat(16))) > maxAddressBytes
  const descriptor =
    isLong && existsSync('/proc/self/fd')
      ? openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)
      : null
  const base = descriptor === null ? folder : `/proc/self/fd/${descriptor}`
  return {
    names: () => readdirSync(folder).filter((name) => socketName.test(name)),
    addressOf: (name) => join(base, name),
    remove: (name) => rmSync(join(folder, name), { force: true }),
    close() {
      if (descriptor !== null) closeSync(descriptor)
    },
  }
}
