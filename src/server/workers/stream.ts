/** A running job: its outcome, and the two things that can be told to it. */
export type Ticket = {
  readonly done: Promise<unknown>
  readonly more: () => void
  readonly abort: () => void
}

const nothing = (): void => {}

/** The items of a job, in order; taking one makes room for the next. */
export async function* streamOf<T>(
  start: (onItem: (item: unknown) => void) => Ticket,
): AsyncGenerator<T, void> {
  const items: unknown[] = []
  let wake = nothing
  const ticket = start((item) => {
    items.push(item)
    wake()
  })
  let end: { readonly error?: unknown } | null = null
  void ticket.done
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    )
    .finally(() => wake())
  const ended = (): { readonly error?: unknown } | null => end
  try {
    for (;;) {
      while (items.length > 0) {
        const item = items.shift() as T
        ticket.more()
        yield item
      }
      const over = ended()
      if (over !== null && 'error' in over) throw over.error
      if (over !== null) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    ticket.abort()
  }
}
