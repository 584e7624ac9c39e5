import type { ScopeUsageRecord, ScopeUsageStore } from '../../records/scope-usage-record.ts'
import type { LedgerWriter } from './ledger-writer.ts'
import {
  endedScanner,
  endedServers,
  hasOthers,
  isScannedElsewhere,
  type QuotaServer,
} from './other-servers.ts'
import type { ScopeAccount } from './scope-account.ts'
import { requireWanted } from './shared-scans.ts'

/** Scans scopes so that no two servers scan the same one. */
export type ScopeScans = {
  /** Waits for a short time until other servers have stored what they have, and have given back what they do not need. */
  reclaim(account: ScopeAccount): Promise<void>
  /** Scans a scope, or waits for a scan of another server that begins after this call. */
  scan(account: ScopeAccount, measure: () => Promise<number>, options: ScanOptions): Promise<void>
}

export type ScanOptions = {
  readonly signal: AbortSignal
  /**
   * Returns true when the record of the account is enough without a scan that begins after the call. It is asked before each scan,
   * and after the scan of another server.
   */
  readonly isEnough: () => boolean
}

export type ScopeScansDependencies = {
  readonly store: Pick<ScopeUsageStore, 'beginScan' | 'endScan' | 'cancelScan'>
  readonly server: QuotaServer
  readonly nowMs: () => number
  readonly writer: LedgerWriter
  readonly read: (account: ScopeAccount) => Promise<void>
  readonly onRecord: (record: ScopeUsageRecord) => void
}

/** The interval in milliseconds at which a server shows that its scan has not been abandoned. */
const heartbeatMs = 3000
/** The interval in milliseconds at which the result of another server is awaited. */
const pollMs = 25
/** The maximum time in milliseconds for which other servers are awaited. They look every 500 ms whether something is wanted. */
const reclaimMs = 1200

export function createScopeScans(dependencies: ScopeScansDependencies): ScopeScans {
  const { server, nowMs, writer, read } = dependencies

  async function reclaim(account: ScopeAccount): Promise<void> {
    const startedAtMs = performance.now()
    if (!hasOthers(account, server) || startedAtMs - account.wantedAtMs < reclaimMs) return
    account.wantedAtMs = startedAtMs
    writer.add(account, { wants: true })
    await writer.flush()
    while (hasOthers(account, server) && performance.now() - startedAtMs < reclaimMs) {
      await delay(pollMs)
      await read(account)
    }
  }

  return {
    reclaim,
    async scan(account, measure, { signal, isEnough }) {
      await read(account)
      const target = (account.record?.scans ?? 0) + 1
      await reclaim(account)
      while ((account.record?.scanned ?? 0) < target && !isEnough()) {
        requireWanted(signal)
        const scans = account.record?.scans ?? 0
        const mustWait =
          isScannedElsewhere(account, server, nowMs()) ||
          !(await scanOnce(dependencies, account, { scans, measure }))
        if (mustWait) await delay(pollMs)
        await read(account)
      }
    },
  }
}

/**
 * Scans a scope, unless another server has begun to do so. `scans` is the number of scans that had begun before. Returns false
 * when nothing was scanned.
 */
async function scanOnce(
  { store, server, nowMs, writer, onRecord }: ScopeScansDependencies,
  account: ScopeAccount,
  { scans, measure }: { readonly scans: number; readonly measure: () => Promise<number> },
): Promise<boolean> {
  writer.add(account, { returns: true })
  await writer.flush()
  const startedAtMs = nowMs()
  const { key, scope } = account
  const ended = [...endedServers(account, server), ...endedScanner(account, server, startedAtMs)]
  const begun = await store.beginScan(server.id, { key, scope, scans }, ended)
  const { usage: start, hasBegun } = begun
  onRecord(start)
  if (!hasBegun) return false
  const heartbeat = setInterval(() => {
    writer.add(account)
    void writer.flush().catch(() => {})
  }, heartbeatMs).unref()
  try {
    const bytes = await measure()
    const { machine } = server
    onRecord(await store.endScan({ key, server: server.id, start, bytes, startedAtMs, machine }))
    return true
  } catch (error) {
    await store.cancelScan(server.id, key).catch(() => {})
    throw error
  } finally {
    clearInterval(heartbeat)
  }
}

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
