import type { OldRequest } from '../http/route.ts'
import type { OldRequestRow, OldRequestStore } from '../records/port.ts'
import { isAnonymousReason } from '../../shared/domain/old-requests.ts'
import { clientProduct } from './client-product.ts'

export type RequestCounterDependencies = {
  readonly store: Pick<OldRequestStore, 'add' | 'clear'>
  readonly nowMs: () => number
  readonly onFault: (error: unknown) => void
}

/** Counts requests that File Browser would have answered differently, and stores the counts in the background. */
export type RequestCounter = {
  readonly count: (request: OldRequest) => void
  /** Resolves when all requests that were counted so far are stored, or could not be stored. */
  readonly flush: () => Promise<void>
  /** Deletes all counts, in memory and in the store. */
  readonly clear: () => Promise<void>
  /** Stores the counts, and ends the background work. */
  readonly stop: () => Promise<void>
}

/**
 * The maximum numbers of rows of requests with a valid token (`known`) and without a valid token (`anonymous`). There are
 * seven reasons and few programs, so an installation has some dozens of rows. Guests can fill only the anonymous rows.
 */
export const maxOldRequests = { known: 150, anonymous: 50 } as const

/** The time in milliseconds between two writes. A crash loses the counts of at most one minute. */
const flushIntervalMs = 60_000

/** Creates the counter, and starts its background work. */
export function createRequestCounter({ store, nowMs, onFault }: RequestCounterDependencies): RequestCounter {
  const waiting = { known: new Map<string, OldRequestRow>(), anonymous: new Map<string, OldRequestRow>() }
  let storing = Promise.resolve()
  /** The number of calls of `clear`. Rows that were being stored during such a call are not put back. */
  let clears = 0

  function add(row: OldRequestRow): void {
    const kind = isAnonymousReason(row.reason) ? 'anonymous' : 'known'
    const rows = waiting[kind]
    const key = `${row.reason} ${row.route} ${row.client}`
    const before = rows.get(key)
    // A key that is set again moves to the end, so that the first key is the least recent one.
    rows.delete(key)
    rows.set(key, before === undefined ? row : sumOf(before, row))
    if (rows.size > maxOldRequests[kind]) rows.delete(rows.keys().next().value ?? '')
  }

  function takeWaiting(): readonly OldRequestRow[] {
    const rows = [...waiting.anonymous.values(), ...waiting.known.values()]
    waiting.anonymous.clear()
    waiting.known.clear()
    return rows
  }

  async function storeWaiting(): Promise<void> {
    const clearsBefore = clears
    const rows = takeWaiting()
    if (rows.length === 0) return
    try {
      await store.add(rows, maxOldRequests)
    } catch (error) {
      // The counts wait until the database accepts them again. They are older than those that arrived meanwhile.
      if (clears === clearsBefore) [...rows, ...takeWaiting()].forEach(add)
      onFault(error)
    }
  }

  const flush = (): Promise<void> => (storing = storing.then(storeWaiting))
  const timer = setInterval(() => void flush(), flushIntervalMs).unref()
  return {
    count({ reason, method, route, agent }) {
      const atMs = nowMs()
      const client = clientProduct(agent)
      add({ reason, route: `${method} ${route}`, client, count: 1, firstMs: atMs, lastMs: atMs })
    },
    flush,
    clear() {
      clears += 1
      takeWaiting()
      const cleared = storing.then(() => store.clear())
      storing = cleared.catch(() => undefined)
      return cleared
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const sumOf = (one: OldRequestRow, other: OldRequestRow): OldRequestRow => ({
  ...one,
  count: one.count + other.count,
  firstMs: Math.min(one.firstMs, other.firstMs),
  lastMs: Math.max(one.lastMs, other.lastMs),
})
