import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Insertable, type RawBuilder } from 'kysely'
import {
  auditActions,
  auditImportance,
  auditRanks,
  type AuditImportance,
  type AuditRank,
} from '../../shared/domain/audit-actions.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/** The number of rows that one statement scans or deletes, so that other changes of the database wait for some milliseconds only. */
export const rowsPerStep = 5000
/** The bytes of the rows that one statement deletes. Earlier versions stored events of a megabyte. */
const bytesPerStep = 16 * 1024 * 1024
/**
 * The bytes that a row needs beside its texts: the record, its numbers and short words, and the entry in the index. 100,000
 * events took 62 bytes more than their texts on SQLite.
 */
const rowOverheadBytes = 64

/** The columns whose sizes are counted. */
const textColumns = ['username', 'session', 'address', 'target', 'destination', 'details'] as const

/** Returns the bytes that a row takes, which is the number that `storedBytes` returns for the stored row. */
export const bytesOfRow = (row: Insertable<DatabaseTables['audit_event']>): number =>
  textColumns.reduce((sum, name) => sum + Buffer.byteLength(row[name]), rowOverheadBytes)

/** The number of bytes that a stored row takes. Counting does not read the texts. */
const storedBytes: RawBuilder<number> = sql`(${sql.lit(rowOverheadBytes)} + ${sql.join(
  textColumns.map((name) => sql`octet_length(${sql.ref(name)})`),
  sql` + `,
)})`

/** Adds to the total size of all events. Must be the last statement of a transaction, because it locks the total. */
export const addToTotal = (transaction: Database, bytes: number): Promise<unknown> =>
  sql`insert into audit_size (id, bytes) values (1, ${bytes})
    on conflict (id) do update set bytes = audit_size.bytes + excluded.bytes`.execute(transaction)

/** The events to delete: the first ones in an order that meet a condition. */
type AuditRemoval = {
  readonly condition: RawBuilder<boolean>
  readonly orderBy: 'at' | 'id'
  /** Deletes no further event once the deleted events have this size. */
  readonly maxBytes: number
}

type Removed = {
  readonly bytes: number
  /** True when events that meet the condition may be left. */
  readonly hasMore: boolean
}

/** Deletes the first of the events that meet a condition, at most as many as one step permits. */
export const removeFirst = (
  database: Database,
  { condition, orderBy, maxBytes }: AuditRemoval,
): Promise<Removed> =>
  database.transaction().execute(async (transaction) => {
    const first = await transaction
      .selectFrom('audit_event')
      .select(['id', storedBytes.as('bytes')])
      .where(condition)
      .orderBy(orderBy)
      .limit(rowsPerStep)
      .execute()
    const count = countWithin(
      first.map(({ bytes }) => bytes),
      Math.min(maxBytes, bytesPerStep),
    )
    // A subquery in place of the ids would let PostgreSQL choose a nested loop, which takes more than ten seconds, while its
    // statistics are from a time when the table was empty.
    const ids = first.slice(0, count).map(({ id }) => id)
    const [id] = ids
    if (id === undefined) return { bytes: 0, hasMore: false }
    // SQLite's statements are kept by their texts, which are few when the number of ids is a power of two.
    while ((ids.length & (ids.length - 1)) !== 0) ids.push(id)
    const deleted = await transaction
      .deleteFrom('audit_event')
      .where('id', 'in', ids)
      .returning(storedBytes.as('bytes'))
      .execute()
    const bytes = deleted.reduce((sum, row) => sum + row.bytes, 0)
    if (bytes > 0) await addToTotal(transaction, -bytes)
    return { bytes, hasMore: count < first.length || first.length === rowsPerStep }
  })

/** Returns how many of the first sizes are needed until their sum reaches a number; all of them when it does not. */
function countWithin(sizes: readonly number[], bytes: number): number {
  let left = bytes
  for (const [index, size] of sizes.entries()) {
    left -= size
    if (left <= 0) return index + 1
  }
  return sizes.length
}

/** Makes room for new events. */
export type AuditRoomMaker = {
  /** Deletes the oldest of the least important events until `bytes` more bytes fit. */
  readonly makeRoom: (bytes: number) => Promise<void>
}

/** Creates the function that keeps the total size of all events below a limit. */
export function createAuditRoomMaker(database: Database, maxBytes: number): AuditRoomMaker {
  /** For each rank, the id below which no event of this rank is left. Ids grow, so no search begins below it again. */
  const searchFrom = new Map<AuditRank, number>()

  /** Deletes events of one rank until `excess` bytes are deleted or none is left. Returns the number of deleted bytes. */
  async function removeOfRank(rank: AuditRank, excess: number): Promise<number> {
    const byId = database.selectFrom('audit_event').select('id').limit(1)
    const firstId = (await byId.orderBy('id').executeTakeFirst())?.id ?? 0
    const lastId = (await byId.orderBy('id', 'desc').executeTakeFirst())?.id ?? -1
    let removed = 0
    let start = Math.max(firstId, searchFrom.get(rank) ?? firstId)
    while (removed < excess && start <= lastId) {
      const end = start + rowsPerStep
      const condition = sql<boolean>`(id >= ${start} and id < ${end} and ${isOfRank[rank]})`
      const step = await removeFirst(database, { condition, orderBy: 'id', maxBytes: excess - removed })
      removed += step.bytes
      if (!step.hasMore) start = end
      searchFrom.set(rank, Math.min(start, lastId + 1))
      await nextTurn()
    }
    return removed
  }

  return {
    async makeRoom(bytes) {
      const total = await database.selectFrom('audit_size').select('bytes').executeTakeFirst()
      let excess = (total?.bytes ?? 0) + bytes - maxBytes
      for (const rank of auditRanks) if (excess > 0) excess -= await removeOfRank(rank, excess)
    },
  }
}

const listOf = (importance: AuditImportance): RawBuilder<unknown> =>
  sql.join(
    auditActions.filter((action) => auditImportance[action] === importance).map((action) => sql.lit(action)),
  )

/** The condition of each rank that `auditRankOf` returns. */
const isOfRank: Readonly<Record<AuditRank, RawBuilder<boolean>>> = {
  detail: sql`action in (${listOf('detail')})`,
  ordinary: sql`(action not in (${listOf('detail')}, ${listOf('sharing')}, ${listOf('essential')})
    or action in (${listOf('sharing')}) and outcome <> 'ok')`,
  'failed-essential': sql`action in (${listOf('essential')}) and outcome <> 'ok'`,
  sharing: sql`action in (${listOf('sharing')}) and outcome = 'ok'`,
  essential: sql`action in (${listOf('essential')}) and outcome = 'ok'`,
}
