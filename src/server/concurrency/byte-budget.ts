import { AppError } from '../../shared/domain/failure.ts'

export type ByteBudgetLimits = {
  /** The maximum number of bytes that all keys hold together. */
  readonly totalBytes: number
  /** The maximum number of bytes that one key holds. */
  readonly bytesPerKey: number
}

/** Bytes of a key whose number grows while one piece of work goes on. */
export type ByteReservation = {
  /**
   * Takes more bytes. Throws `overloaded` as `take` does, or `too-large` when this reservation alone would hold more than a
   * key may hold, so that no later attempt could succeed.
   */
  readonly add: (bytes: number) => void
  /** Gives all bytes back. May be called more than once. Bytes can be added again afterwards. */
  readonly release: () => void
}

/** Limits how many bytes of requests the server holds at the same time, in total and for each address or person. */
export type ByteBudget = {
  /**
   * Takes bytes for a key. Returns the function that gives them back, which may be called more than once. Throws
   * `overloaded` when the key or all keys together would hold too many bytes.
   */
  take(key: string, bytes: number): () => void
  /** Opens a reservation that holds nothing yet. */
  reserve(key: string): ByteReservation
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

  function hold(key: string, bytes: number): void {
    const isTooMuch = heldBytes + bytes > totalBytes || (heldByKey.get(key) ?? 0) + bytes > bytesPerKey
    if (isTooMuch) throw new AppError('overloaded', { retryAfterSeconds: 1 })
    change(key, bytes)
  }

  return {
    take(key, bytes) {
      hold(key, bytes)
      let isReturned = false
      return () => {
        if (!isReturned) change(key, -bytes)
        isReturned = true
      }
    },
    reserve(key) {
      let reservedBytes = 0
      return {
        add(bytes) {
          if (reservedBytes + bytes > bytesPerKey) throw new AppError('too-large')
          hold(key, bytes)
          reservedBytes += bytes
        },
        release() {
          if (reservedBytes > 0) change(key, -reservedBytes)
          reservedBytes = 0
        },
      }
    },
  }
}
