import { Socket } from 'node:net'

/**
 * Calls the listener when the launcher has ended for any reason. The launcher has the other end of a pipe open, which
 * the kernel closes when the launcher's process ends. `descriptor` is the value of `STOWAGE_PARENT_PIPE`. When it is
 * undefined, the server was started without the launcher, and the function does nothing. The open pipe does not keep
 * the process alive.
 */
export function onLauncherExit(descriptor: string | undefined, listener: () => void): void {
  const fd = Number(descriptor)
  if (!Number.isInteger(fd) || fd < 3) return
  const pipe = new Socket({ fd, readable: true, writable: false })
  pipe.on('error', () => pipe.destroy())
  pipe.once('close', listener)
  pipe.resume().unref()
}
