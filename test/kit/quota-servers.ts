import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { createQuotas, type ScopeUsageTracker } from '../../src/server/access/quota/quotas.ts'
import type { ScopeUsageStore } from '../../src/server/records/scope-usage-record.ts'
import type { Volume } from '../../src/server/storage/port.ts'
import { createClock, testRecords, type TestClock } from './records.ts'

/** The servers of one state, as far as quotas are concerned. */
export type QuotaServers = {
  readonly clock: TestClock
  readonly store: ScopeUsageStore
  /**
   * Starts a server, which counts the bytes of scopes together with the others. `slowness` is awaited before each change of its
   * records.
   */
  start(
    volume: Pick<Volume, 'measure' | 'stat' | 'received'>,
    slowness?: () => Promise<void>,
  ): TestQuotaServer
}

export type TestQuotaServer = ScopeUsageTracker & {
  readonly id: string
  /** Ends the server without anything that it does at its end. Nothing may run on it. */
  kill(): void
}

/** Creates records for servers that count together. */
export async function quotaServers(): Promise<QuotaServers> {
  const clock = createClock()
  const { scopeUsages: store } = await testRecords(clock)
  const ended = new Set<string>()
  const hasEnded = (id: string): boolean => ended.has(id)
  return {
    clock,
    store,
    start(volume, slowness = async () => {}) {
      const id = randomUUID()
      const requireAlive = (): void => {
        if (hasEnded(id)) throw new Error('the server has been killed')
      }
      const ownStore: ScopeUsageStore = {
        ...store,
        async change(request) {
          await slowness()
          requireAlive()
          return store.change(request)
        },
      }
      const server = { id, hasEnded, machine: 'machine', folder: '/srv' }
      const quotas = createQuotas({ volume, nowMs: clock.nowMs, store: ownStore, server })
      onTestFinished(() => quotas.close())
      return { ...quotas, id, kill: () => void ended.add(id) }
    },
  }
}
