import { endingWithServer } from '../programs/end-with-server.ts'
import { killedFirst } from '../programs/killed-first.ts'
import { startByFork, type ProcessStarter } from '../programs/process-starter.ts'
import { createSpawnStarter } from '../programs/spawn-starter.ts'
import { loadSpawnCalls } from '../storage/posix/calls/spawn-calls.ts'

export type ProcessStarterOptions = {
  /** Adds a listener for the signal of the end of a child process. The returned function removes the listener. */
  readonly onChildSignal?: (listener: () => void) => () => void
}

/**
 * Creates the function that starts the programs of the server. Without the calls of the C library, or without the signal
 * that tells of their ends, Node starts them. The kernel kills them before the server when there is not enough memory.
 */
export async function composeProcessStarter({
  onChildSignal,
}: ProcessStarterOptions): Promise<ProcessStarter> {
  const calls = await loadSpawnCalls()
  const isNative = calls !== null && onChildSignal !== undefined
  const start = isNative ? createSpawnStarter({ calls, onChildSignal }) : startByFork
  return endingWithServer(killedFirst(start), start)
}
