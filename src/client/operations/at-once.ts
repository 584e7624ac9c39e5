/** Runs a task for each item, at most `limit` at a time, and answers their results in the order of the items. */
export async function atOnce<T, R>(
  limit: number,
  items: readonly T[],
  task: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const rest = items.entries()
  async function work(): Promise<void> {
    for (const [at, item] of rest) results[at] = await task(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, work))
  return results
}
