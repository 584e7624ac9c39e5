/** A running job: its outcome, and the two things that can be told to it. */
export type Ticket = {
  readonly done: Promise<unknown>
  readonly more: () => void
  readonly abort: () => void
}

const nothing = (): void => {}

type End = { readonly value?: unknown; readonly error?: unknown }

/** The items of a job, in order, and what it gives in the end; taking an item makes room for the next. */
export async function* streamOf<T>(
  start: (onItem: (item: unknown) => void) => Ticket,
): AsyncGenerator<T, unknown> {
  const items: unknown[] = []
  let wake = nothing
  const ticket = start((item) => {
    items.push(item)
    wake()
  })
  let end: End | null = null
  void ticket.done
    .then(
      (value) => (end = { value }),
      (error: unknown) => (end = { error }),
    )
    .finally(() => wake())
  const ended = (): End | null => end
  try {
    for (;;) {
      while (items.length > 0) {
        const item = items.shift() as T
        ticket.more()
        yield item
      }
      const over = ended()
      if (over !== null && 'error' in over) throw over.error
      if (over !== null) return over.value
      await new Promise<void>((resolve) => (wake = resolve))
    }
  } finally {
    ticket.abort()
  }
}
