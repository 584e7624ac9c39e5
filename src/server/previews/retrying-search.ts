/** A search whose result says whether it is good. */
export type RetryingSearchOptions<T> = {
  readonly search: () => Promise<T>
  readonly isGood: (result: T) => boolean
  readonly nowMs: () => number
}

/**
 * The time in milliseconds after which a failed search is repeated: 5 minutes. A machine that has just started, or has no
 * memory or processes left, is often better by then, and an attempt takes 10 seconds at most.
 */
export const searchRetryMs = 5 * 60 * 1000

/**
 * Returns a function that searches when it is first called, and keeps the result: a good one for ever, and another one for
 * `searchRetryMs`. Concurrent callers share one search.
 */
export function createRetryingSearch<T>({
  search,
  isGood,
  nowMs,
}: RetryingSearchOptions<T>): () => Promise<T> {
  let found: Promise<T> | undefined
  let retryAtMs = Infinity
  const start = async (): Promise<T> => {
    try {
      const result = await search()
      if (!isGood(result)) retryAtMs = nowMs() + searchRetryMs
      return result
    } catch (error) {
      retryAtMs = nowMs() + searchRetryMs
      throw error
    }
  }
  return () => {
    if (found !== undefined && nowMs() < retryAtMs) return found
    retryAtMs = Infinity
    found = start()
    return found
  }
}
