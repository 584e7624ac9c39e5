/**
 * Returns a throttled function: it calls `run` immediately and then at most every `delayMs`. The last call is never
 * lost.
 */
export function throttle(
  delayMs: number,
  { later }: { readonly later: (run: () => void, delayMs: number) => void },
  run: () => void,
): () => void {
  let isWaiting = false
  let isCallPending = false
  function rest(): void {
    isWaiting = true
    later(() => {
      isWaiting = false
      if (!isCallPending) return
      isCallPending = false
      run()
      rest()
    }, delayMs)
  }
  return () => {
    isCallPending = isWaiting
    if (isWaiting) return
    run()
    rest()
  }
}
