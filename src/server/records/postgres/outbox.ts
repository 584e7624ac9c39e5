import { sql } from 'kysely'
import { Client } from 'pg'
import { batchLifetimeMs, type Outbox, type OutboxNotice, type SeenServers } from '../outbox.ts'
import { tableNames } from '../sql/dialect.ts'
import type { Database } from '../sql/tables.ts'
import { servingLimits } from './postgres-dialect.ts'

/**
 * The time in milliseconds after which a server that has not registered again counts as ended, and after which its row is
 * removed. Servers register every five seconds. The row stays longer, so that each server learns of the end.
 */
const endedMs = 15_000
const removedMs = 120_000
/** The number of batches that are read with one query. */
const batchesPerRead = 20
/** The times in milliseconds after which a lost connection for notices is opened again, which double. */
const minReconnectMs = 500
const maxReconnectMs = 10_000

/** The time of the database, which is the same for all servers. */
const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`
const before = (ms: number) => sql<number>`${now} - ${sql.lit(ms)}::bigint`

/** The channel of the notices. Installations in several schemas of one database have several channels. */
const channel = sql<string>`'stowage_' || md5(current_schema())`

/** Creates the outbox of a database. Notices need a connection of their own, which is opened by `listen`. */
export const createOutbox = (database: Database, url: string): Outbox => ({
  async register(server) {
    await sql`insert into server (id, seen_at) values (${server}, ${now})
      on conflict (id) do update set seen_at = excluded.seen_at`.execute(database)
    await sql`delete from server where seen_at < ${before(removedMs)}`.execute(database)
    await sql`delete from outbox where at < ${before(batchLifetimeMs)}`.execute(database)
    const { rows } = await sql<{ id: string; is_seen: boolean }>`
      select id, seen_at > ${before(endedMs)} as is_seen from server where id <> ${server}`.execute(database)
    const idsOf = (isSeen: boolean) => rows.filter((row) => row.is_seen === isSeen).map(({ id }) => id)
    return { others: idsOf(true), lost: idsOf(false) } satisfies SeenServers
  },
  async unregister(server) {
    await sql`delete from server where id = ${server}`.execute(database)
  },
  async lastNumbers() {
    const { rows } = await sql<{ server: string; number: number }>`
      select server, max(number) as number from outbox group by server`.execute(database)
    return new Map(rows.map((row) => [row.server, row.number]))
  },
  async add({ server, number, messages }) {
    await sql`insert into outbox (server, number, at, messages) values (${server}, ${number}, ${now}, ${messages})
      on conflict do nothing`.execute(database)
  },
  async read(server, after) {
    const numbers = JSON.stringify(Object.fromEntries(after))
    const { rows } = await sql<{ server: string; number: number; messages: string }>`
      select server, number, messages from outbox
      where server <> ${server} and number > coalesce((${numbers}::jsonb ->> server)::bigint, 0)
      order by server, number limit ${sql.lit(batchesPerRead)}`.execute(database)
    return rows
  },
  listen: (onNotice) => listenTo(database, url, onNotice),
  async notify(notice) {
    // Not in the transaction of a change: PostgreSQL commits transactions with notices one after the other.
    await sql`select pg_notify(${channel}, ${notice})`.execute(database)
  },
})

/** Returns true when a server has registered a short time ago. A database of an earlier layout has no table of servers. */
export async function areServersSeen(database: Database): Promise<boolean> {
  if (!(await tableNames(database)).includes('server')) return false
  const { rows } = await sql`select 1 from server where seen_at > ${before(endedMs)} limit 1`.execute(
    database,
  )
  return rows.length > 0
}

/** Listens on a connection of its own, which is opened again whenever it is lost. */
function listenTo(
  database: Database,
  url: string,
  onNotice: (notice: OutboxNotice) => void,
): () => Promise<void> {
  let client: Client | null = null
  let isStopped = false
  let reconnectMs = minReconnectMs
  let timer: NodeJS.Timeout | undefined

  async function open(): Promise<void> {
    const opened = new Client({
      connectionString: url,
      connectionTimeoutMillis: servingLimits.connectMs,
      query_timeout: servingLimits.statementMs,
      keepAlive: true,
      fallback_application_name: 'stowage',
    })
    client = opened
    opened.on('error', () => {})
    opened.on('notification', ({ payload }) => {
      if (payload === 'batch' || payload === 'server') onNotice(payload)
    })
    opened.once('end', reopen)
    try {
      await opened.connect()
      const { rows } = await sql<{ name: string }>`select ${channel} as name`.execute(database)
      await opened.query(`listen ${opened.escapeIdentifier(rows[0]?.name ?? '')}`)
      reconnectMs = minReconnectMs
      // Notices before this moment may be lost.
      onNotice('server')
    } catch {
      await opened.end().catch(() => {})
      reopen()
    }
  }

  function reopen(): void {
    if (isStopped) return
    clearTimeout(timer)
    timer = setTimeout(() => void open(), reconnectMs).unref()
    reconnectMs = Math.min(reconnectMs * 2, maxReconnectMs)
  }

  void open()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await client?.end().catch(() => {})
  }
}
