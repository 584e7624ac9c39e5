import type { Path } from '../../../shared/domain/path.ts'
import type { ScopeUsageRecord } from '../../records/scope-usage-record.ts'

/**
 * The knowledge of a server about the usage of a scope: the record that all servers share, and what this server has not stored in
 * the record yet. The server may store files while their bytes are covered by its grant.
 */
export type ScopeAccount = {
  readonly scope: Path
  readonly key: string
  /** The record as it was last read or changed. Null before it exists. */
  record: ScopeUsageRecord | null
  /** The grant of this server. */
  grantBytes: number
  /** The bytes of files that have appeared and that the record does not count yet. They are a part of the grant. */
  keptBytes: number
  /**
   * The number of scans that had begun when those files were decided on. Null when a scan was running, or when the numbers
   * differ; undefined without such files.
   */
  keptAtScan: number | null | undefined
  /** Noted changes that are not in the record yet. */
  readonly notes: { more: number; less: number }
  /** The number of renames that are running, and whether the record says so. */
  runningMoves: number
  isMoving: boolean
  /** Times of the last use and of the last change of the record, by a clock that only goes forward. */
  usedAtMs: number
  storedAtMs: number
  /** The time of the last request to other servers to give back what they do not need. */
  wantedAtMs: number
  /** Returns the bytes of the files that are being stored, as far as they have arrived and enlarge the scope. */
  arrivingBytes: () => number
}

export const createScopeAccount = (scope: Path, key: string): ScopeAccount => ({
  scope,
  key,
  record: null,
  grantBytes: 0,
  keptBytes: 0,
  keptAtScan: undefined,
  notes: { more: 0, less: 0 },
  runningMoves: 0,
  isMoving: false,
  usedAtMs: 0,
  storedAtMs: 0,
  wantedAtMs: Number.NEGATIVE_INFINITY,
  arrivingBytes: () => 0,
})

/** Returns the bytes of the scope, including those of this server that the record does not count yet. */
export const knownBytes = ({ record, keptBytes }: ScopeAccount): number => (record?.bytes ?? 0) + keptBytes

/** Returns the bytes of the grant that no file of this server needs. It is negative when the grant is too small. */
export const slackBytes = ({ grantBytes, keptBytes, arrivingBytes }: ScopeAccount): number =>
  grantBytes - keptBytes - arrivingBytes()

/** Returns the number of scans that have begun, or null while a scan is running. */
export const scanNumber = ({ record }: ScopeAccount): number | null =>
  record === null || record.scanner === null ? (record?.scans ?? 0) : null

/** Counts the bytes of a file that has appeared. `decidedAtScan` is the scan number from when it was decided on. */
export function keepBytes(account: ScopeAccount, bytes: number, decidedAtScan: number | null): void {
  if (bytes === 0) return
  account.keptBytes += bytes
  account.keptAtScan = sameScan(
    account.keptAtScan,
    decidedAtScan === scanNumber(account) ? decidedAtScan : null,
  )
}

/** Combines the scan numbers of two groups of files. */
export function sameScan(
  one: number | null | undefined,
  other: number | null | undefined,
): number | null | undefined {
  if (one === undefined) return other
  return other === undefined || one === other ? one : null
}

/** True while the account has something that the record does not contain yet, or a grant. */
export const isActive = ({ grantBytes, keptBytes, notes, isMoving, runningMoves }: ScopeAccount): boolean =>
  grantBytes > 0 || keptBytes > 0 || notes.more > 0 || notes.less > 0 || isMoving || runningMoves > 0
