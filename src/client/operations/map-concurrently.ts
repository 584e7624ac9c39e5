/** Runs a task for each item, at most `limit` at a time. Returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  limit: number,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  // All workers take their next item from the same iterator.
  const queue = items.entries()
  async function work(): Promise<void> {
    for (const [at, item] of queue) results[at] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
