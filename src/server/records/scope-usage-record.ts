import type { Path } from '../../shared/domain/path.ts'

/** The bytes that a server may add to a scope, or has added to it since its last change of the usage. */
export type ScopeGrant = {
  readonly server: string
  readonly bytes: number
  /** True while the server may be renaming entries of the scope, which a scan may miss. */
  readonly isMoving: boolean
  readonly touchedAtMs: number
}

/**
 * The usage of a scope that has a quota. All servers of the state count together: the files of the scope have at most
 * `bytes` and the bytes of all grants together, apart from changes that servers have noted or other programs have made.
 */
export type ScopeUsageRecord = {
  /** A digest of the served folder and the scope. */
  readonly key: string
  readonly scope: Path
  /** A number that each change increases. */
  readonly revision: number
  /** The bytes that the last scan has found, and those that servers have added since. */
  readonly bytes: number
  /** The bytes that servers have added since the row exists. A scan compares it at its start and its end. */
  readonly added: number
  /** Numbers of noted changes that may have added or removed bytes without being counted, since the row exists. */
  readonly more: number
  readonly less: number
  /** The number of times that a server began to rename entries. */
  readonly moves: number
  /** Until this time, servers give back the bytes of their grants that they do not need. */
  readonly wantedUntilMs: number
  /** The number of scans that have begun, and the server whose scan is running; null for none. */
  readonly scans: number
  readonly scanner: string | null
  /** The time at which the running scan counts as abandoned, unless its server renews it. */
  readonly scanUntilMs: number
  /** The number of the last scan that has ended, and the time at which it began. 0 for no scan. */
  readonly scanned: number
  readonly scannedAtMs: number
  readonly moreAtScan: number
  readonly lessAtScan: number
  /** True when `bytes` may contain a file twice, because it appeared during a scan. */
  readonly isDisturbed: boolean
  /** The machine of the last scan, which a power cut changes. Empty where the database itself survives power cuts. */
  readonly machine: string
  readonly grants: readonly ScopeGrant[]
}

/** The changes that a server makes to the usage of a scope. */
export type ScopeUsageChange = {
  readonly key: string
  readonly scope: Path
  /** Bytes that the server has stored, which count in `bytes` from now on. */
  readonly addedBytes: number
  /** The number of scans that had begun when those bytes were stored. Null when a scan was running or has ended since. */
  readonly addedAtScan: number | null
  readonly more: number
  readonly less: number
  /** The grant of the server before and after the change. It is removed when it is 0 and the server moves nothing. */
  readonly grantBefore: number
  readonly grantBytes: number
  readonly isMoving: boolean
  /** True to ask the other servers for the bytes of their grants that they do not need. */
  readonly wants: boolean
}

/** A request for larger grants in all scopes that contain a file. */
export type GrantRequest = {
  /** The scope whose quota limits the file. */
  readonly limit: { readonly key: string; readonly quotaBytes: number }
  readonly scopes: readonly { readonly key: string; readonly bytes: number }[]
  /** The maximum number of bytes that are granted beyond those, so that the server need not ask for each file. */
  readonly extraBytes: number
  /** True to grant as much of `extraBytes` as the quota allows instead of a part of the free bytes. */
  readonly takesAll: boolean
}

export type ScopeUsageRequest = {
  readonly server: string
  readonly changes: readonly ScopeUsageChange[]
  readonly grants: readonly GrantRequest[]
}

export type ScopeUsageResult = {
  readonly usages: readonly ScopeUsageRecord[]
  /** For each request, the number of bytes that were granted beyond the requested ones; null for a refused request. */
  readonly extraBytes: readonly (number | null)[]
}

export type ScopeScanResult = {
  readonly key: string
  readonly server: string
  /** The usage when the scan began. */
  readonly start: ScopeUsageRecord
  readonly bytes: number
  readonly startedAtMs: number
  readonly machine: string
}

/** The store of the usages of scopes. */
export type ScopeUsageStore = {
  /** Returns the usages with these keys, as far as there are any. */
  read(keys: readonly string[]): Promise<readonly ScopeUsageRecord[]>
  list(): Promise<readonly Pick<ScopeUsageRecord, 'key' | 'scope'>[]>
  /** Makes all changes, and then decides on the requests one after the other, in one transaction. */
  change(request: ScopeUsageRequest): Promise<ScopeUsageResult>
  /**
   * Begins a scan, unless another server is scanning, or more than `scope.scans` scans have begun: the server then has to look
   * whether it still needs its own. The grants of `ended` servers are removed; until the scan has ended, the scope counts as never
   * scanned then.
   */
  beginScan(
    server: string,
    scope: Pick<ScopeUsageRecord, 'key' | 'scope' | 'scans'>,
    ended: readonly string[],
  ): Promise<{ readonly usage: ScopeUsageRecord; readonly hasBegun: boolean }>
  /** Stores the result of a scan, or nothing when another server has taken the scan over. Returns the usage. */
  endScan(result: ScopeScanResult): Promise<ScopeUsageRecord>
  /** Ends a scan without a result. */
  cancelScan(server: string, key: string): Promise<void>
}
