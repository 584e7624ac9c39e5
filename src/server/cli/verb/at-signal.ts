/** The signals that end the command. */
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs a function before a signal ends the process. Returns the function that stops listening. */
export function atSignal(cleanUp: () => void): () => void {
  const stop = (): void => {
    for (const each of endingSignals) process.off(each, onSignal)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    cleanUp()
    stop()
    process.kill(process.pid, signal)
  }
  for (const signal of endingSignals) process.on(signal, onSignal)
  return stop
}
