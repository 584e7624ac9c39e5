/** Runs a task for each item, with at most `limit` concurrent tasks. Returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  limit: number,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  // All workers share the same iterator, so each item is processed once.
  const queue = items.entries()
  async function work(): Promise<void> {
    for (const [at, item] of queue) results[at] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
