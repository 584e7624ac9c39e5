export type Beating<T> = {
  /** Begins the work, which is to end when the signal says so. */
  readonly open: (until: AbortSignal) => AsyncIterable<T>
  readonly signal: AbortSignal
  readonly everyMs: number
}

/** Hands on what comes, and null each time that nothing has come for a while. The work ends with its reader. */
export async function* withHeartbeats<T>({
  open,
  signal,
  everyMs,
}: Beating<T>): AsyncGenerator<T | null, void> {
  const ending = new AbortController()
  const items = open(AbortSignal.any([signal, ending.signal]))[Symbol.asyncIterator]()
  let next = items.next()
  try {
    for (;;) {
      const item = await firstOf(next, everyMs)
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

async function firstOf<T>(wanted: Promise<T>, withinMs: number): Promise<T | 'late'> {
  const { promise, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => resolve('late'), withinMs)
  try {
    return await Promise.race([wanted, promise])
  } finally {
    clearTimeout(timer)
  }
}
