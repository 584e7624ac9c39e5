/** Runs work on each item, some at once, and gives the results in the order of the items. Leaving early waits for what runs. */
export async function* inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void> {
  const running: Promise<Result>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // It is waited for when its turn comes; until then its failure is nobody's.
      result.catch(() => {})
      running.push(result)
      const first = running.length >= atOnce ? running.shift() : undefined
      if (first !== undefined) yield await first
    }
    for (let next = running.shift(); next !== undefined; next = running.shift()) yield await next
  } finally {
    await Promise.allSettled(running)
  }
}
