/** A started job: the promise of its result, and functions that control its task. */
export type JobHandle = {
  readonly result: Promise<unknown>
  /** Allows the task to send one more item. */
  readonly requestItem: () => void
  readonly abort: () => void
}

const doNothing = (): void => {}

type JobStreamEnd = { readonly value?: unknown; readonly error?: unknown }

/**
 * Yields the items of a job in order and returns its result. Whenever the caller takes an item, the task may send one
 * more (backpressure). Ending the iteration early aborts the job.
 */
export async function* streamOf<Item, Result>(
  start: (onItem: (item: unknown) => void) => JobHandle,
): AsyncGenerator<Item, Result, undefined> {
  const items: unknown[] = []
  let wake = doNothing
  const handle = start((item) => {
    items.push(item)
    wake()
  })
  let end: JobStreamEnd | null = null
  void handle.result
    .then(
      (value) => (end = { value }),
      (error: unknown) => (end = { error }),
    )
    .finally(() => wake())
  const currentEnd = (): JobStreamEnd | null => end
  try {
    for (;;) {
      while (items.length > 0) {
        const item = items.shift() as Item
        handle.requestItem()
        yield item
      }
      const reached = currentEnd()
      if (reached !== null && 'error' in reached) throw reached.error
      if (reached !== null) return reached.value as Result
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    handle.abort()
  }
}
