import { encodePath, parsePath, root } from '../../shared/domain/path.ts'
import type {
  GrantRequest,
  ScopeGrant,
  ScopeUsageChange,
  ScopeUsageRecord,
  ScopeUsageResult,
  ScopeUsageStore,
} from './scope-usage-record.ts'
import { lockTable } from './sql/dialect.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/** The time in milliseconds for which servers give back grants after a server has asked for them. */
const wantedMs = 3000
/** The time in milliseconds after which a scan counts as abandoned. Its server renews it every three seconds. */
const scanLeaseMs = 10_000
/** The time in milliseconds after its last scan at which the usage of a scope is removed, because nobody uses it. */
const maxUnusedMs = 24 * 60 * 60_000
/** A grant beyond the requested bytes is at most this part of the free bytes, so that other servers get some as well. */
const extraPart = 16

/** A usage that a transaction changes. */
type MutableUsage = {
  -readonly [Field in keyof ScopeUsageRecord]: Field extends 'grants'
    ? Map<string, ScopeGrant>
    : ScopeUsageRecord[Field]
}

/** Creates the store of the usages of scopes. */
export const createScopeUsages = (database: Database, nowMs: () => number): ScopeUsageStore => ({
  ...scanMethods(database, nowMs),
  read: async (keys) => [...(await readUsages(database, keys)).values()].map(frozen),
  async list() {
    const rows = await database.selectFrom('scope_usage').select(['key', 'scope']).execute()
    return rows.map(({ key, scope }) => ({ key, scope: scopeOf(scope) }))
  },
  change: ({ server, changes, grants }) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'scope_usage')
      const atMs = nowMs()
      const usages = await readUsages(
        transaction,
        changes.map(({ key }) => key),
      )
      for (const change of changes) {
        const usage = usages.get(change.key) ?? newUsage(change)
        usages.set(change.key, usage)
        applyChange(usage, change, { server, atMs })
      }
      const extraBytes = grants.map((request) => decide(usages, request, { server, atMs }))
      await writeUsages(transaction, usages, server)
      return { usages: [...usages.values()].map(frozen), extraBytes } satisfies ScopeUsageResult
    }),
})

const scanMethods = (
  database: Database,
  nowMs: () => number,
): Pick<ScopeUsageStore, 'beginScan' | 'endScan' | 'cancelScan'> => ({
  beginScan: (server, scope, ended) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'scope_usage')
      const atMs = nowMs()
      const usages = await readUsages(transaction, [scope.key])
      const usage = usages.get(scope.key) ?? newUsage(scope)
      usages.set(scope.key, usage)
      const { scanner } = usage
      const isScanning =
        scanner !== null && scanner !== server && !ended.includes(scanner) && usage.scanUntilMs > atMs
      if (isScanning || usage.scans > scope.scans) return { usage: frozen(usage), hasBegun: false }
      for (const other of ended) if (usage.grants.delete(other)) usage.scannedAtMs = 0
      usage.scanner = server
      usage.scanUntilMs = atMs + scanLeaseMs
      usage.scans += 1
      if (ended.length > 0)
        await transaction
          .deleteFrom('scope_grant')
          .where('key', '=', scope.key)
          .where('server', 'in', ended)
          .execute()
      await removeUnused(transaction, scope.key, atMs)
      await writeUsages(transaction, usages, server)
      return { usage: frozen(usage), hasBegun: true }
    }),
  endScan: ({ key, server, start, bytes, startedAtMs, machine }) =>
    database.transaction().execute(async (transaction) => {
      await lockTable(transaction, 'scope_usage')
      const usages = await readUsages(transaction, [key])
      const usage = usages.get(key) ?? newUsage(start)
      usages.set(key, usage)
      if (usage.scanner !== server || usage.scans !== start.scans) return frozen(usage)
      // An entry that was renamed during the scan may have been missed. The bytes are then not lowered.
      const mayHaveMissed = usage.moves !== start.moves || start.grants.some(({ isMoving }) => isMoving)
      const found = bytes + usage.added - start.added
      usage.bytes = mayHaveMissed ? Math.max(found, usage.bytes) : found
      usage.isDisturbed = mayHaveMissed || usage.added !== start.added
      if (!mayHaveMissed || usage.scannedAtMs !== 0) usage.scannedAtMs = startedAtMs
      usage.moreAtScan = start.more
      usage.lessAtScan = start.less
      usage.scanned = start.scans
      usage.machine = machine
      usage.scanner = null
      await writeUsages(transaction, usages, server)
      return frozen(usage)
    }),
  async cancelScan(server, key) {
    await database
      .updateTable('scope_usage')
      .set(({ eb }) => ({ scanner: '', revision: eb('revision', '+', 1) }))
      .where('key', '=', key)
      .where('scanner', '=', server)
      .execute()
  },
})

type ChangeContext = { readonly server: string; readonly atMs: number }

function applyChange(usage: MutableUsage, change: ScopeUsageChange, { server, atMs }: ChangeContext): void {
  const known = usage.grants.get(server)
  usage.bytes += change.addedBytes
  usage.added += change.addedBytes
  // A scan that began meanwhile may have found the bytes as well.
  if (change.addedBytes > 0 && change.addedAtScan !== usage.scans) usage.isDisturbed = true
  // Another server took this one for ended, and has removed its grant. Its files may have been missed.
  const wasRemoved = change.grantBefore > 0 && known === undefined
  usage.more += change.more + (wasRemoved ? 1 : 0)
  usage.less += change.less
  if (change.isMoving && known?.isMoving !== true) usage.moves += 1
  if (change.wants) usage.wantedUntilMs = atMs + wantedMs
  if (usage.scanner === server) usage.scanUntilMs = atMs + scanLeaseMs
  usage.grants.set(server, { server, bytes: change.grantBytes, isMoving: change.isMoving, touchedAtMs: atMs })
}

/** Enlarges the grants of a server, unless the quota would be exceeded. Returns the extra bytes, or null. */
function decide(
  usages: ReadonlyMap<string, MutableUsage>,
  { limit, scopes, extraBytes, takesAll }: GrantRequest,
  { server, atMs }: ChangeContext,
): number | null {
  const limited = usages.get(limit.key)
  const bytes = scopes.find(({ key }) => key === limit.key)?.bytes ?? 0
  if (limited === undefined) return null
  const freeBytes = limit.quotaBytes - totalBytes(limited) - bytes
  if (freeBytes < 0 && bytes > 0) return null
  const isWanted = scopes.some(({ key }) => (usages.get(key)?.wantedUntilMs ?? 0) > atMs)
  const part = isWanted ? 0 : Math.floor(freeBytes / extraPart)
  const extra = Math.max(0, Math.min(extraBytes, takesAll ? freeBytes : part))
  for (const scope of scopes) {
    const usage = usages.get(scope.key)
    const known = usage?.grants.get(server)
    if (usage === undefined || known === undefined) continue
    usage.grants.set(server, { ...known, bytes: known.bytes + scope.bytes + extra })
  }
  return extra
}

const totalBytes = ({ bytes, grants }: MutableUsage): number =>
  [...grants.values()].reduce((sum, grant) => sum + grant.bytes, bytes)

const frozen = (usage: MutableUsage): ScopeUsageRecord => ({ ...usage, grants: [...usage.grants.values()] })

const scopeOf = (encoded: string): ScopeUsageRecord['scope'] => parsePath(encoded)?.path ?? root

const newUsage = ({ key, scope }: Pick<ScopeUsageRecord, 'key' | 'scope'>): MutableUsage => ({
  key,
  scope,
  revision: 0,
  bytes: 0,
  added: 0,
  more: 0,
  less: 0,
  moves: 0,
  wantedUntilMs: 0,
  scans: 0,
  scanner: null,
  scanUntilMs: 0,
  scanned: 0,
  scannedAtMs: 0,
  moreAtScan: 0,
  lessAtScan: 0,
  isDisturbed: false,
  machine: '',
  grants: new Map(),
})

async function readUsages(database: Database, keys: readonly string[]): Promise<Map<string, MutableUsage>> {
  // PostgreSQL refuses an empty list.
  if (keys.length === 0) return new Map()
  const rows = await database.selectFrom('scope_usage').selectAll().where('key', 'in', keys).execute()
  const usages = new Map(rows.map((row) => [row.key, usageOf(row)]))
  if (rows.length === 0) return usages
  const grants = await database.selectFrom('scope_grant').selectAll().where('key', 'in', keys).execute()
  for (const { key, server, bytes, is_moving: isMoving, touched_at: touchedAtMs } of grants)
    usages.get(key)?.grants.set(server, { server, bytes, isMoving: isMoving === 1, touchedAtMs })
  return usages
}

const usageOf = (row: DatabaseTables['scope_usage']): MutableUsage => ({
  key: row.key,
  scope: scopeOf(row.scope),
  revision: row.revision,
  bytes: row.bytes,
  added: row.added,
  more: row.more,
  less: row.less,
  moves: row.moves,
  wantedUntilMs: row.wanted_until,
  scans: row.scans,
  scanner: row.scanner === '' ? null : row.scanner,
  scanUntilMs: row.scan_until,
  scanned: row.scanned,
  scannedAtMs: row.scanned_at,
  moreAtScan: row.more_at_scan,
  lessAtScan: row.less_at_scan,
  isDisturbed: row.is_disturbed === 1,
  machine: row.machine,
  grants: new Map(),
})

/** Writes usages, and the grants of a server in them. */
async function writeUsages(
  transaction: Database,
  usages: ReadonlyMap<string, MutableUsage>,
  server: string,
): Promise<void> {
  for (const usage of usages.values()) {
    usage.revision += 1
    const changed = valuesOf(usage)
    await transaction
      .insertInto('scope_usage')
      .values({ key: usage.key, scope: encodePath(usage.scope), ...changed })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(changed))
      .execute()
    await writeGrant(transaction, usage, server)
  }
}

async function writeGrant(transaction: Database, usage: MutableUsage, server: string): Promise<void> {
  const grant = usage.grants.get(server)
  if (grant === undefined) return
  if (grant.bytes === 0 && !grant.isMoving) {
    usage.grants.delete(server)
    await transaction
      .deleteFrom('scope_grant')
      .where('key', '=', usage.key)
      .where('server', '=', server)
      .execute()
    return
  }
  const changed = {
    bytes: grant.bytes,
    is_moving: grant.isMoving ? 1 : 0,
    touched_at: grant.touchedAtMs,
  }
  await transaction
    .insertInto('scope_grant')
    .values({ key: usage.key, server, ...changed })
    .onConflict((conflict) => conflict.columns(['key', 'server']).doUpdateSet(changed))
    .execute()
}

const valuesOf = (usage: MutableUsage): Omit<DatabaseTables['scope_usage'], 'key' | 'scope'> => ({
  revision: usage.revision,
  bytes: usage.bytes,
  added: usage.added,
  more: usage.more,
  less: usage.less,
  moves: usage.moves,
  wanted_until: usage.wantedUntilMs,
  scans: usage.scans,
  scanner: usage.scanner ?? '',
  scan_until: usage.scanUntilMs,
  scanned: usage.scanned,
  scanned_at: usage.scannedAtMs,
  more_at_scan: usage.moreAtScan,
  less_at_scan: usage.lessAtScan,
  is_disturbed: usage.isDisturbed ? 1 : 0,
  machine: usage.machine,
})

/**
 * Removes the usages of scopes that nobody has used for long. A server changes each of its grants every ten seconds, so the
 * server of an older grant has ended.
 */
async function removeUnused(transaction: Database, exceptKey: string, atMs: number): Promise<void> {
  const unusedSince = atMs - maxUnusedMs
  await transaction
    .deleteFrom('scope_usage')
    .where('key', '!=', exceptKey)
    .where('scanned_at', '<', unusedSince)
    .where('scan_until', '<', unusedSince)
    .where('key', 'not in', (expression) =>
      expression.selectFrom('scope_grant').select('key').where('touched_at', '>', unusedSince),
    )
    .execute()
  await transaction
    .deleteFrom('scope_grant')
    .where('touched_at', '<', unusedSince)
    .where('key', 'not in', (expression) => expression.selectFrom('scope_usage').select('key'))
    .execute()
}
