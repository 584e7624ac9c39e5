import { AppError } from '../../shared/domain/failure.ts'

export type ByteBudgetLimits = {
  /** The maximum number of bytes that all keys hold together. */
  readonly totalBytes: number
  /** The maximum number of bytes that one key holds. */
  readonly bytesPerKey: number
}

/** Limits how many bytes of requests the server holds at the same time, in total and for each address of clients. */
export type ByteBudget = {
  /**
   * Takes bytes for a key. Returns the function that gives them back, which may be called more than once. Throws
   * `overloaded` when the key or all keys together would hold too many bytes.
   */
  take(key: string, bytes: number): () => void
}

/** Creates a budget of which nothing is taken. It keeps no state for keys that hold nothing. */
export function createByteBudget({ totalBytes, bytesPerKey }: ByteBudgetLimits): ByteBudget {
  const heldByKey = new Map<string, number>()
  let heldBytes = 0

  function change(key: string, bytes: number): void {
    const held = (heldByKey.get(key) ?? 0) + bytes
    heldBytes += bytes
    if (held === 0) heldByKey.delete(key)
    else heldByKey.set(key, held)
  }

  return {
    take(key, bytes) {
      const isTooMuch = heldBytes + bytes > totalBytes || (heldByKey.get(key) ?? 0) + bytes > bytesPerKey
      if (isTooMuch) throw new AppError('overloaded', { retryAfterSeconds: 1 })
      change(key, bytes)
      let isReturned = false
      return () => {
        if (!isReturned) change(key, -bytes)
        isReturned = true
      }
    },
  }
}
