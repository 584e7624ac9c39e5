/** Runs a callback after a delay in ms. The returned function cancels it. */
export type Timer = (ms: number, run: () => void) => () => void

/** The system timer. A waiting callback does not keep the process alive. */
export const later: Timer = (ms, run) => {
  const timer = setTimeout(run, ms).unref()
  return () => clearTimeout(timer)
}
