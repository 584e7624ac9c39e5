/** The values that a process gets from its supervisor when it serves together with others. */
export type ServingProcess = {
  /** The port that all processes share; 0 for the first one, which chooses a free port. */
  readonly port: number
  /** The number of all processes. */
  readonly count: number
  /** The number of this process, from 1 to `count`. A process that is started again has the number of the ended one. */
  readonly number: number
}

/** The message of a process that accepts connections. */
export type ListeningMessage = { readonly listeningAt: string; readonly port: number }

/** The environment variable in which a process gets its `ServingProcess`. */
export const servingProcessVariable = 'STOWAGE_SERVING_PROCESS'

/** Takes the description of this process from the environment. Returns null for a process that serves alone. */
export function takeServingProcess(env: NodeJS.ProcessEnv): ServingProcess | null {
  const text = env[servingProcessVariable]
  delete env[servingProcessVariable]
  return text === undefined || process.send === undefined ? null : (JSON.parse(text) as ServingProcess)
}

/** Tells the supervisor that this process accepts connections. */
export const reportListening = (message: ListeningMessage): void => void process.send?.(message)

/** Calls the listener when the supervisor has ended. Its channel does not keep this process alive. */
export function onSupervisorExit(
  own: Pick<NodeJS.Process, 'once' | 'channel' | 'connected'>,
  listener: () => void,
): void {
  own.once('disconnect', listener)
  own.channel?.unref()
  if (!own.connected) listener()
}
