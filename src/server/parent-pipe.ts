import { Socket } from 'node:net'

/**
 * Runs the listener when the launcher is gone, however it went: it holds the other end of a pipe, and the kernel closes that
 * with it. `descriptor` is the text of `STOWAGE_PARENT_PIPE`; without one (started directly) nothing is watched. Watching
 * keeps no process alive.
 */
export function onLauncherGone(descriptor: string | undefined, listener: () => void): void {
  const fd = Number(descriptor)
  if (!Number.isInteger(fd) || fd < 3) return
  const pipe = new Socket({ fd, readable: true, writable: false })
  pipe.on('error', () => pipe.destroy())
  pipe.once('close', listener)
  pipe.resume().unref()
}
