import { userSignal } from '../../state/personal.ts'

/**
 * Calls `load` whenever an element has been on screen for `restMs` milliseconds. Its signal is aborted when the element leaves the
 * screen, when the user does, and when the returned function is called, which also ends the watch.
 */
export function whileOnScreen(
  element: Element,
  restMs: number,
  load: (signal: AbortSignal) => Promise<void>,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let request: AbortController | null = null
  const leave = (): void => {
    clearTimeout(timer)
    request?.abort()
    request = null
  }
  const start = (): void => {
    request = new AbortController()
    void load(AbortSignal.any([request.signal, userSignal()]))
  }
  const observer = new IntersectionObserver((entries) => {
    leave()
    if (entries.at(-1)?.isIntersecting === true) timer = setTimeout(start, restMs)
  })
  observer.observe(element)
  return () => {
    observer.disconnect()
    leave()
  }
}
