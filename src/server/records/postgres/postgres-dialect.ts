import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type PoolClient } from 'pg'
import { isConnectionLost, postgresFailure } from './postgres-failure.ts'

/** How long is waited for a server, in milliseconds. The client itself waits for ever. */
export type Patience = {
  readonly connectMs: number
  /** For one statement, the wait for a lock included; the server ends it then. */
  readonly statementMs: number
  /** For a sign of the server after that: then the connection is given up. */
  readonly silenceMs: number
  /** How many are opened at most. */
  readonly connections: number
}

/** What a request waits for at most: whoever asks is told before they give up. */
export const servingPatience: Patience = {
  connectMs: 5000,
  statementMs: 10_000,
  silenceMs: 2000,
  connections: 10,
}

/** Bringing a database forward may take long, and waits for another process that does it. */
export const migratingPatience: Patience = {
  connectMs: 5000,
  statementMs: 30 * 60_000,
  silenceMs: 2000,
  connections: 1,
}

const keepAliveAfterMs = 10_000
const idleMs = 60_000

/** Kysely's dialect over `pg`. Its failures are `unavailable` where the server could not be asked. */
export function postgresDialect(address: string, patience: Patience): PostgresDialect {
  const { connectMs, statementMs, silenceMs, connections } = patience
  const pool = new Pool({
    connectionString: address,
    max: connections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    lock_timeout: statementMs,
    query_timeout: statementMs + silenceMs,
    idle_in_transaction_session_timeout: statementMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    fallback_application_name: 'stowage',
    // Whole numbers of eight bytes come as text; none of ours is beyond what JavaScript knows exactly.
    types: {
      getTypeParser: (id, format) =>
        id === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(id, format),
    },
  })
  // Connections end while nobody uses them; whoever asks next gets another one.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new PostgresDialect({ pool: explaining(pool) })
}

/** The pool with failures in our words. A connection that has failed is never given to anybody else. */
const explaining = (pool: Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  async connect() {
    try {
      return withFailures(await pool.connect())
    } catch (thrown) {
      throw postgresFailure(thrown)
    }
  },
})

function withFailures(client: PoolClient): PostgresPoolClient {
  let isLost = false
  const explained = (thrown: unknown): unknown => {
    isLost ||= isConnectionLost(thrown)
    return postgresFailure(thrown)
  }
  const query = (text: string, values: readonly unknown[]) =>
    client.query(text, [...values]).catch((thrown: unknown) => Promise.reject(explained(thrown)))
  return {
    // Its second form, for cursors, is never asked for.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isBroken) => client.release(isLost || isBroken === true),
  }
}
