import { constants, lstatSync, rmSync } from 'node:fs'
import { chmod, open } from 'node:fs/promises'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { AppError } from '../../shared/domain/failure.ts'
import { lockFile } from '../records/file/lock-file.ts'

export type UnixSocketAddress = {
  readonly socketPath: string
  /** The permission bits of the socket. */
  readonly socketMode?: number
}

/** The O_PATH flag of Linux, which Node's constants lack: the handle stands for an entry that is not opened. */
const handleFlags = 0o10000000 | constants.O_NOFOLLOW

/**
 * Listens on a unix socket. A socket that nobody accepts connections of, such as that of a server that was killed, is
 * removed first. Throws `name-taken` when another server listens, or when the path belongs to something else.
 */
export async function listenOnUnixSocket(
  server: Server,
  { socketPath, socketMode }: UnixSocketAddress,
): Promise<void> {
  try {
    await listenAt(server, socketPath)
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw readableFailure(socketPath, thrown)
    await replaceLeftover(server, socketPath)
  }
  if (socketMode !== undefined) await setMode(socketPath, socketMode)
}

/**
 * Sets the permissions of the socket. Throws `name-taken` when something else is in its place, such as a link that somebody has
 * put there to change the permissions of another file. On Linux, they are set at a handle, so that nothing can take the place of
 * the socket in between.
 */
async function setMode(socketPath: string, mode: number): Promise<void> {
  if (process.platform !== 'linux') {
    if (!lstatSync(socketPath).isSocket()) throw noSocket(socketPath)
    return chmod(socketPath, mode)
  }
  await using handle = await open(socketPath, handleFlags)
  if (!(await handle.stat()).isSocket()) throw noSocket(socketPath)
  await chmod(`/proc/self/fd/${handle.fd}`, mode)
}

const listenAt = (server: Server, path: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })

/**
 * Removes the socket that an ended server has left, and listens. The lock keeps two servers that start at the same time
 * from removing each other's socket.
 */
async function replaceLeftover(server: Server, path: string): Promise<void> {
  const lock = await lockFile(`${path}.lock`)
  try {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() === false) throw noSocket(path)
    const refusal = await refusalOf(path)
    if (refusal !== 'ECONNREFUSED' && refusal !== 'ENOENT') throw inUse(path)
    rmSync(path, { force: true })
    await listenAt(server, path)
  } catch (thrown) {
    throw readableFailure(path, thrown)
  } finally {
    lock.close()
  }
}

/** Connects to a socket. Returns the error code of the failure; null when somebody accepts the connection. */
const refusalOf = (path: string): Promise<string | null> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(null)
    })
    probe.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
  })

const inUse = (path: string): AppError =>
  new AppError('name-taken', { reason: `another server listens on the socket ${path}` })

const noSocket = (path: string): AppError =>
  new AppError('name-taken', { reason: `the socket cannot be created: ${path} is no socket` })

/** Returns an error with a reason that names the path, for an error of the system. */
function readableFailure(path: string, thrown: unknown): unknown {
  const { code } = thrown as NodeJS.ErrnoException
  if (thrown instanceof AppError || code === undefined) return thrown
  if (code === 'EADDRINUSE') return inUse(path)
  return new AppError('unavailable', {
    cause: thrown,
    reason: `cannot listen on the socket ${path} (${code})`,
  })
}
