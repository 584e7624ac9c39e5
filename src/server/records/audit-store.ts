import type { AuditAction, AuditActor } from '../../shared/domain/audit-actions.ts'
import type { ErrorCode } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { AuditDetail } from '../../shared/contract/audit.ts'
import { addToTotal, bytesOfRow, createAuditRoomMaker, removeFirst, rowsPerStep } from './audit-room.ts'
import { boundedEvent } from './bounded-event.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/** An event of the audit log. */
export type AuditEvent = {
  readonly atMs: number
  readonly action: AuditAction
  readonly outcome: 'ok' | ErrorCode
  readonly actor: AuditActor
  /** Null unless the actor is a user. */
  readonly userId: number | null
  /** The name of the user when the event happened; empty for other actors. */
  readonly username: string
  /** The public id of the session, or the hash of the share of a guest; empty without either. */
  readonly session: string
  /** The address of the client; empty for events of the server itself. */
  readonly address: string
  /** A path in the volume, or the name of a user; empty when the action has no object. */
  readonly target: string
  readonly destination: string
  readonly details: Readonly<Record<string, AuditDetail>>
}

/** Conditions on events. An event has to meet all conditions that are given. */
export type AuditFilter = {
  readonly fromMs?: number
  readonly toMs?: number
  readonly username?: string
  readonly actions?: readonly AuditAction[]
  /** The path of an entry. Events of entries below it are included. */
  readonly path?: Path
  /** A part of the user name, the address, the session, the target or the destination. ASCII letters match in both cases. */
  readonly text?: string
  readonly outcome?: 'failed' | AuditEvent['outcome']
}

/** The part of the events that `find` searches. */
export type AuditRange = {
  /** Only events with smaller ids are returned; null for the newest events. */
  readonly beforeId: number | null
  readonly maxEvents: number
}

/** The store of the audit log. */
export type AuditStore = {
  /** Stores events in one transaction. They need not survive a power cut. */
  add(events: readonly AuditEvent[]): Promise<void>
  /**
   * Finds events, the newest first, and scans a limited number of rows. `next` is the value of `beforeId` with which the
   * search continues, also when no event was found; null when no older event can match.
   */
  find(
    filter: AuditFilter,
    range: AuditRange,
  ): Promise<{
    readonly events: readonly (AuditEvent & { readonly id: number })[]
    readonly next: number | null
  }>
  /** Returns true when there are events from before the given time. */
  hasBefore(atMs: number): Promise<boolean>
  /** Deletes a limited number of events from before the given time. Returns true when there may be more. */
  removeBefore(atMs: number): Promise<boolean>
}

/** The number of rows that one search scans before it returns. On SQLite, they take about 0.2 s altogether. */
const rowsPerSearch = 200_000
/** The number of rows in one insert statement. SQLite accepts 32,766 values in one statement. */
const rowsPerInsert = 500
/** The number of rows that one statement returns. With the details that are read, they have at most 20 MB. */
const rowsPerRead = 250
/** The bytes of events after which one search returns. An answer and a chunk of an export need some times as much memory. */
const bytesPerSearch = 512 * 1024
/** The size of stored details above which only their size is read. Only earlier versions stored such details. */
const readDetailsBytes = 64 * 1024
/**
 * The total size of all events: 1 GiB. These are about three million usual events, which means 35,000 a day for the default of
 * 90 days, and it limits the disk space that users and guests can fill with events.
 */
const maxTotalBytes = 1024 ** 3
/** Several servers with one database may store events in another order than their times. */
const clockSkewMs = 3_600_000

type AuditRow = Omit<Selectable<DatabaseTables['audit_event']>, 'details'> & {
  readonly details: string | null
  readonly detailsBytes: number
}
type StoredEvent = AuditEvent & { readonly id: number }

/**
 * Creates the store of the audit log. When the total size of all events would exceed `maxBytes`, the oldest of the least
 * important events are deleted.
 */
export function createAuditStore(database: Database, maxBytes = maxTotalBytes): AuditStore {
  const { makeRoom } = createAuditRoomMaker(database, maxBytes)
  return {
    async add(events) {
      const rows = events.map(rowOf)
      const bytes = rows.reduce((sum, row) => sum + bytesOfRow(row), 0)
      await makeRoom(bytes)
      await database.transaction().execute(async (transaction) => {
        for (let at = 0; at < rows.length; at += rowsPerInsert)
          await transaction
            .insertInto('audit_event')
            .values(rows.slice(at, at + rowsPerInsert))
            .execute()
        await addToTotal(transaction, bytes)
      })
    },
    async find(filter, { beforeId, maxEvents }) {
      const { lowestId, endId } = await idsOf(database, filter)
      let end = Math.min(endId, beforeId ?? endId)
      const stopAtId = end - rowsPerSearch
      const events: StoredEvent[] = []
      let bytes = 0
      while (end > lowestId && end > stopAtId && events.length < maxEvents && bytes < bytesPerSearch) {
        const start = Math.max(lowestId, end - rowsPerStep)
        const limit = Math.min(rowsPerRead, maxEvents - events.length)
        const rows = await findInRange(database, filter, { start, end, limit })
        for (const event of rows.map(eventOf)) {
          events.push(event)
          bytes += bytesOfRow(rowOf(event))
        }
        end = rows.length < limit ? start : (rows.at(-1)?.id ?? start)
        await nextTurn()
      }
      return { events, next: end > lowestId ? end : null }
    },
    async hasBefore(atMs) {
      const old = database.selectFrom('audit_event').select('id').where('at', '<', atMs).limit(1)
      return (await old.executeTakeFirst()) !== undefined
    },
    async removeBefore(atMs) {
      const condition = sql<boolean>`at < ${atMs}`
      const { hasMore } = await removeFirst(database, { condition, orderBy: 'at', maxBytes: Infinity })
      return hasMore
    },
  }
}

/** Returns the range of ids that can match the times of a filter: the first id, and the id after the last id. */
async function idsOf(
  database: Database,
  { fromMs, toMs }: AuditFilter,
): Promise<{ readonly lowestId: number; readonly endId: number }> {
  const byId = database.selectFrom('audit_event').select('id').limit(1)
  const lowestId = (await byId.orderBy('id').executeTakeFirst())?.id ?? 0
  const highestId = (await byId.orderBy('id', 'desc').executeTakeFirst())?.id ?? -1
  const byTime = database.selectFrom('audit_event').select('id').limit(1)
  const older =
    fromMs === undefined
      ? undefined
      : await byTime
          .where('at', '<', fromMs - clockSkewMs)
          .orderBy('at', 'desc')
          .executeTakeFirst()
  const newer =
    toMs === undefined
      ? undefined
      : await byTime
          .where('at', '>', toMs + clockSkewMs)
          .orderBy('at')
          .executeTakeFirst()
  return { lowestId: Math.max(lowestId, older?.id ?? lowestId), endId: newer?.id ?? highestId + 1 }
}

function findInRange(
  database: Database,
  filter: AuditFilter,
  { start, end, limit }: { readonly start: number; readonly end: number; readonly limit: number },
): Promise<AuditRow[]> {
  const { fromMs, toMs, username, actions, path, text, outcome } = filter
  let query = database
    .selectFrom('audit_event')
    .select(readColumns)
    .select([
      sql<string | null>`case when octet_length(details) <= ${readDetailsBytes} then details end`.as(
        'details',
      ),
      sql<number>`octet_length(details)`.as('detailsBytes'),
    ])
    .where('id', '>=', start)
    .where('id', '<', end)
    .orderBy('id', 'desc')
    .limit(limit)
  if (fromMs !== undefined) query = query.where('at', '>=', fromMs)
  if (toMs !== undefined) query = query.where('at', '<', toMs)
  if (username !== undefined) query = query.where('username', '=', storedText(username))
  if (actions !== undefined) query = query.where('action', 'in', actions)
  if (outcome === 'failed') query = query.where('outcome', '<>', 'ok')
  else if (outcome !== undefined) query = query.where('outcome', '=', outcome)
  if (path !== undefined) {
    const entry = storedText(path)
    query = query.where((expression) =>
      expression.or([isWithinPath('target', entry), isWithinPath('destination', entry)]),
    )
  }
  if (text !== undefined) {
    // The database folds the case of the text as well, because SQLite folds that of ASCII letters only.
    const pattern = sql`lower(cast(${`%${storedText(text).replaceAll(/[!%_]/g, '!$&')}%`} as text))`
    query = query.where((expression) =>
      expression.or(
        searchedColumns.map((column) => sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '!'`),
      ),
    )
  }
  return query.execute()
}

/** All columns except the details. */
const readColumns = [
  'id',
  'at',
  'action',
  'outcome',
  'actor',
  'user_id',
  'username',
  'session',
  'address',
  'target',
  'destination',
] as const

const searchedColumns = ['username', 'address', 'session', 'target', 'destination'] as const

/** Creates the condition that a path is the given entry or below it. */
function isWithinPath(column: 'target' | 'destination', entry: string) {
  const below = entry === '/' ? '/' : `${entry}/`
  const start = sql`substr(${sql.ref(column)}, 1, length(cast(${below} as text)))`
  return sql<boolean>`(${sql.ref(column)} = ${entry} or ${start} = ${below})`
}

const rowOf = (event: AuditEvent): Insertable<DatabaseTables['audit_event']> => ({
  at: event.atMs,
  action: event.action,
  outcome: event.outcome,
  actor: event.actor,
  user_id: event.userId,
  username: storedText(event.username),
  session: storedText(event.session),
  address: storedText(event.address),
  target: storedText(event.target),
  destination: storedText(event.destination),
  details: JSON.stringify(event.details),
})

/** Returns the event of a row, which is cut when an earlier version has stored more than an event contains now. */
const eventOf = (row: AuditRow): StoredEvent =>
  boundedEvent({
    id: row.id,
    atMs: row.at,
    action: row.action,
    outcome: row.outcome as AuditEvent['outcome'],
    actor: row.actor,
    userId: row.user_id,
    username: readText(row.username),
    session: readText(row.session),
    address: readText(row.address),
    target: readText(row.target),
    destination: readText(row.destination),
    details:
      row.details === null
        ? { omittedBytes: row.detailsBytes }
        : (JSON.parse(row.details) as Readonly<Record<string, AuditDetail>>),
  })

/**
 * Returns a text as the inside of a JSON string, since databases accept neither lone surrogates, which stand for bytes of
 * file names, nor NUL.
 */
const storedText = (text: string): string => JSON.stringify(text).slice(1, -1)

const readText = (stored: string): string => String(JSON.parse(`"${stored}"`))
