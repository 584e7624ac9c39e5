/** The longest time in ms that a slice works on a document before the page may react again: less than a frame of 60 Hz. */
const sliceMs = 10

/**
 * Calls `add` with the parts of a document: with the first part at once, and with the others in slices between which the
 * page reacts to its user. The returned promise resolves after the last part. It never resolves when the signal ends the work.
 */
export function showInSlices(
  parts: Iterator<DocumentFragment>,
  add: (part: DocumentFragment) => void,
  signal: AbortSignal,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const addParts = (durationMs: number): void => {
    if (signal.aborted) return
    const endMs = performance.now() + durationMs
    do {
      const { done, value } = parts.next()
      if (done === true) {
        resolve()
        return
      }
      add(value)
    } while (performance.now() < endMs)
    setTimeout(() => addParts(sliceMs))
  }
  addParts(0)
  return promise
}
