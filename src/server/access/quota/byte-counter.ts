import { withinTime } from '../../concurrency/within-time.ts'
import { knownBytes, scanNumber, type ScopeAccount } from './scope-account.ts'
import { bytesOfOthers, endedServers } from './other-servers.ts'
import { createSharedScans } from './shared-scans.ts'
import type { UsageLedger } from './usage-ledger.ts'

/**
 * Counts the bytes in a scope together with the other servers of the state. The number is determined by a scan when it is
 * needed, and then updated until the next scan.
 */
export type ByteCounter = {
  readonly account: ScopeAccount
  /** Returns the number of bytes that the last scan found, plus the bytes added since. */
  knownBytes(): number
  /** Returns the bytes that other servers may have added to those, or may add. */
  bytesOfOthers(): number
  /**
   * Returns true when the number is exact as far as the servers know: it includes every change, and no bytes twice.
   */
  isExact(): boolean
  /** Reads the number of all servers. Scans again if it may be too low or the last scan is too old. */
  refresh(signal?: AbortSignal): Promise<void>
  /** Scans again. Concurrent callers share one scan, which starts after they called, and ends when all of them have aborted. */
  rescan(signal?: AbortSignal): Promise<void>
  exactBytes(signal?: AbortSignal): Promise<number>
  noteChange(direction: 'more' | 'less'): void
  /** Notes that an entry is being renamed. Returns the function to call when the entry has its new name. */
  beginMove(): Promise<() => void>
}

/**
 * Maximum age of a scan in milliseconds. A new scan after this time finds the changes that other programs have made.
 */
const maxAgeMs = 5 * 60_000

/** The time in milliseconds by which the clocks of servers of one state may differ. */
const maxClockDifferenceMs = 30_000

/**
 * The time in milliseconds for which a rename or a removal waits until the other servers know of it. Without that, the scope
 * counts as changed afterwards, which the others do not learn from a server that is killed before it has stored this. On a
 * busy machine, a transaction has taken more than 250 ms, and in a locked database it fails only after some seconds.
 */
const moveWaitMs = 2000

export type ByteCounterDependencies = {
  readonly ledger: UsageLedger
  readonly account: ScopeAccount
  readonly nowMs: () => number
  /** Called before each scan that this server needs, whichever server makes it. */
  readonly prepareScan: () => Promise<void>
  readonly measure: (signal: AbortSignal) => Promise<number>
}

export function createByteCounter(dependencies: ByteCounterDependencies): ByteCounter {
  const { ledger, account, prepareScan, measure } = dependencies
  const hasMore = (): boolean => mayHaveMore(dependencies)
  const isExact = (): boolean => !hasMore() && isExactNow(account)
  const scans = createSharedScans(async ({ signal, mustBegin }) => {
    await prepareScan()
    const isEnough = (): boolean => !mustBegin() && isExact()
    await ledger.scan(account, () => measure(signal), { signal, isEnough })
  })

  return {
    account,
    knownBytes: () => knownBytes(account),
    bytesOfOthers: () => bytesOfOthers(account, ledger.server),
    isExact,
    async refresh(signal) {
      // A scan that is already running may have begun before the latest change. The second one has not.
      for (let made = 0; hasMore() && made < 2; made += 1) await scans.join(signal)
    },
    rescan: (signal) => scans.begin(signal),
    async exactBytes(signal) {
      await ledger.read(account)
      // Another server may be scanning since before this call. Its result counts if it makes the number exact.
      if (!isExact()) await scans.find(signal)
      return knownBytes(account)
    },
    noteChange: (direction) => ledger.note(account, direction),
    beginMove: () => beginMove(dependencies),
  }
}

/** True when the scope may have more bytes than are known, or when its last scan is too old. */
function mayHaveMore({ ledger, account, nowMs }: ByteCounterDependencies): boolean {
  const { record, notes } = account
  if (record === null || record.scannedAtMs === 0 || record.machine !== ledger.server.machine) return true
  const ageMs = nowMs() - record.scannedAtMs
  const isOld = ageMs > maxAgeMs || ageMs < -maxClockDifferenceMs
  return (
    isOld || record.moreAtScan !== record.more + notes.more || endedServers(account, ledger.server).length > 0
  )
}

/** True when no known byte is counted twice or has been removed. */
function isExactNow(account: ScopeAccount): boolean {
  const { record, notes, keptBytes, keptAtScan } = account
  if (record === null || record.isDisturbed || record.lessAtScan !== record.less + notes.less) return false
  return keptBytes === 0 || keptAtScan === undefined || keptAtScan === scanNumber(account)
}

async function beginMove({ ledger, account }: ByteCounterDependencies): Promise<() => void> {
  const begun = ledger.beginMove(account)
  const end = await withinTime(begun, moveWaitMs).catch(() => 'late' as const)
  if (end !== 'late') return end
  return () => {
    ledger.note(account, 'more')
    begun.then(
      (endMove) => endMove(),
      () => (account.runningMoves -= 1),
    )
  }
}
