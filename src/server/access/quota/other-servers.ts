import type { ScopeGrant } from '../../records/scope-usage-record.ts'
import type { ScopeAccount } from './scope-account.ts'

/** The server that counts, as the other servers of the state know it. */
export type QuotaServer = {
  /** A name that no other process has. */
  readonly id: string
  /** Returns true when the server with an id has ended. `touchedAtMs` is the time of its last sign of life. */
  readonly hasEnded: (id: string, touchedAtMs: number) => boolean
  /** The machine, which a power cut changes. Empty where the records themselves survive power cuts. */
  readonly machine: string
  /** The folder that all scopes are in. Servers with different folders count separately. */
  readonly folder: string
}

/** Returns the grants that other servers have. */
const grantsOfOthers = ({ record }: ScopeAccount, { id }: QuotaServer): readonly ScopeGrant[] =>
  record === null ? [] : record.grants.filter(({ server }) => server !== id)

/** Returns the sum of the grants that other servers have. */
export const bytesOfOthers = (account: ScopeAccount, server: QuotaServer): number =>
  grantsOfOthers(account, server).reduce((sum, { bytes }) => sum + bytes, 0)

/** Returns the servers that have ended without giving back their grants. What they have stored is unknown. */
export const endedServers = (account: ScopeAccount, server: QuotaServer): readonly string[] =>
  grantsOfOthers(account, server)
    .filter((grant) => server.hasEnded(grant.server, grant.touchedAtMs))
    .map((grant) => grant.server)

/** True while servers that have not ended have grants. */
export const hasOthers = (account: ScopeAccount, server: QuotaServer): boolean =>
  grantsOfOthers(account, server).length > endedServers(account, server).length

/** True while another server scans the scope. */
export const isScannedElsewhere = (account: ScopeAccount, server: QuotaServer, atMs: number): boolean =>
  scannerElsewhere(account, server, atMs) !== null && endedScanner(account, server, atMs).length === 0

/** Returns the server whose scan will not end because the server has ended. It has given its grant back before the scan. */
export function endedScanner(account: ScopeAccount, server: QuotaServer, atMs: number): readonly string[] {
  const scanner = scannerElsewhere(account, server, atMs)
  return scanner !== null && server.hasEnded(scanner, atMs) ? [scanner] : []
}

/** Returns the other server that has begun a scan, unless the scan counts as abandoned. */
function scannerElsewhere({ record }: ScopeAccount, server: QuotaServer, atMs: number): string | null {
  const scanner = record?.scanner ?? null
  return record === null || scanner === server.id || record.scanUntilMs <= atMs ? null : scanner
}
