import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql, type Insertable, type Selectable } from 'kysely'
import type { AuditDetail } from '../../shared/contract/audit.ts'
import type { AuditEvent, AuditFilter, AuditStore } from './port.ts'
import type { Database, DatabaseTables } from './sql/tables.ts'

/** The number of rows that one statement scans or deletes, so that SQLite blocks the main thread for some milliseconds only. */
const rowsPerStep = 5000
/** The number of rows that one search scans before it returns. On SQLite, they take about 0.2 s altogether. */
const rowsPerSearch = 200_000
/** The number of rows in one insert statement. SQLite accepts 32,766 values in one statement. */
const rowsPerInsert = 500
/** Several servers with one database may store events in another order than their times. */
const clockSkewMs = 3_600_000

type AuditRow = Selectable<DatabaseTables['audit_event']>

/** Creates the store of the audit log. */
export const createAuditStore = (database: Database): AuditStore => ({
  add: (events) =>
    database.transaction().execute(async (transaction) => {
      for (let at = 0; at < events.length; at += rowsPerInsert) {
        const rows = events.slice(at, at + rowsPerInsert).map(rowOf)
        await transaction.insertInto('audit_event').values(rows).execute()
      }
    }),
  async find(filter, { beforeId, maxEvents }) {
    const { lowestId, endId } = await idsOf(database, filter)
    let end = Math.min(endId, beforeId ?? endId)
    const stopAtId = end - rowsPerSearch
    const events: (AuditEvent & { readonly id: number })[] = []
    while (end > lowestId && end > stopAtId && events.length < maxEvents) {
      const start = Math.max(lowestId, end - rowsPerStep)
      const limit = maxEvents - events.length
      const rows = await findInRange(database, filter, { start, end, limit })
      events.push(...rows.map(eventOf))
      end = rows.length < limit ? start : (rows.at(-1)?.id ?? start)
      await nextTurn()
    }
    return { events, next: end > lowestId ? end : null }
  },
  async removeBefore(atMs) {
    const oldest = database
      .selectFrom('audit_event')
      .select('id')
      .where('at', '<', atMs)
      .orderBy('at')
      .limit(rowsPerStep)
    const { numDeletedRows } = await database
      .deleteFrom('audit_event')
      .where('id', 'in', oldest)
      .executeTakeFirst()
    return Number(numDeletedRows) === rowsPerStep
  },
})

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

type IdRange = { readonly start: number; readonly end: number; readonly limit: number }

function findInRange(
  database: Database,
  filter: AuditFilter,
  { start, end, limit }: IdRange,
): Promise<AuditRow[]> {
  const { fromMs, toMs, username, actions, path, text, outcome } = filter
  let query = database
    .selectFrom('audit_event')
    .selectAll()
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

const eventOf = (row: AuditRow): AuditEvent & { readonly id: number } => ({
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
  details: JSON.parse(row.details) as Readonly<Record<string, AuditDetail>>,
})

/**
 * Returns a text as the inside of a JSON string, since databases accept neither lone surrogates, which stand for bytes of
 * file names, nor NUL.
 */
const storedText = (text: string): string => JSON.stringify(text).slice(1, -1)

const readText = (stored: string): string => String(JSON.parse(`"${stored}"`))
