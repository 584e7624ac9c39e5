import { composeProcessStarter } from '../../src/server/composition/process-starter.ts'

/** The listeners of all servers of this process. They share one listener of the process, which warns of more than ten. */
const childListeners = new Set<() => void>()
const notifyAll = (): void => childListeners.forEach((listener) => listener())

/** Adds a listener for the end of a child process of the tests, as the program does for the server. */
export function onChildSignal(listener: () => void): () => void {
  if (childListeners.size === 0) process.on('SIGCHLD', notifyAll)
  childListeners.add(listener)
  return () => {
    childListeners.delete(listener)
    if (childListeners.size === 0) process.off('SIGCHLD', notifyAll)
  }
}

/** Starts programs as a server does. */
export const startProcess = await composeProcessStarter({ onChildSignal })
