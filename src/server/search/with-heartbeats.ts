export type HeartbeatOptions<T> = {
  /** Starts the source. The source must end when the signal aborts. */
  readonly open: (signal: AbortSignal) => AsyncIterable<T>
  readonly signal: AbortSignal
  /** The time in milliseconds without an item after which null is yielded. */
  readonly everyMs: number
}

/**
 * Yields the items of a source, and null after each interval without an item. The source is ended when the reader
 * stops.
 */
export async function* withHeartbeats<T>({
  open,
  signal,
  everyMs,
}: HeartbeatOptions<T>): AsyncGenerator<T | null, void> {
  const ending = new AbortController()
  const items = open(AbortSignal.any([signal, ending.signal]))[Symbol.asyncIterator]()
  let next = items.next()
  try {
    for (;;) {
      const item = await raceTimeout(next, everyMs)
      if (item === 'late') {
        yield null
        continue
      }
      if (item.done === true) return
      yield item.value
      next = items.next()
    }
  } finally {
    ending.abort()
    await next.catch(() => undefined)
    await items.return?.()
  }
}

async function raceTimeout<T>(item: Promise<T>, withinMs: number): Promise<T | 'late'> {
  const { promise, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), withinMs)
  try {
    return await Promise.race([item, promise])
  } finally {
    clearTimeout(timer)
  }
}
