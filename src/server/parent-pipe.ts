import { Socket } from 'node:net'

/**
 * Calls the listener when the launcher has ended for any reason. The launcher has the other end of a pipe open, which
 * the kernel closes when the launcher's process ends. `descriptor` is the text of `STOWAGE_PARENT_PIPE`; without it the
 * server was started directly, and nothing is watched. Watching does not keep the process alive.
 */
export function onLauncherExit(descriptor: string | undefined, listener: () => void): void {
  const fd = Number(descriptor)
  if (!Number.isInteger(fd) || fd < 3) return
  const pipe = new Socket({ fd, readable: true, writable: false })
  pipe.on('error', () => pipe.destroy())
  pipe.once('close', listener)
  pipe.resume().unref()
}
