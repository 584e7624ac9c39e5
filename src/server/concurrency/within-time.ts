/** Resolves with the result of the work, or with `'late'` when the work takes longer than `ms` milliseconds. */
export async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | 'late'> {
  const { promise: timeout, resolve } = Promise.withResolvers<'late'>()
  const timer = setTimeout(resolve, ms, 'late' as const)
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
