import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type PoolClient } from 'pg'
import { isConnectionLost, explainPostgresError } from './postgres-failure.ts'

/**
 * The limits of the connections to a server. Times are in milliseconds. Without the limits, the client would wait
 * forever.
 */
export type PostgresLimits = {
  readonly connectMs: number
  /**
   * Maximum duration of one statement, including the wait for a lock. The server cancels a statement that takes longer.
   */
  readonly statementMs: number
  /** The server must respond within this time after `statementMs`. Otherwise the client closes the connection. */
  readonly silenceMs: number
  /** Maximum number of open connections. */
  readonly connections: number
}

/** The limits while serving. They are short, so that a request fails before the user stops waiting for it. */
export const servingLimits: PostgresLimits = {
  connectMs: 5000,
  statementMs: 10_000,
  silenceMs: 2000,
  connections: 10,
}

/**
 * The limits of a migration. A migration may take long, and may wait for another process that migrates the database.
 */
export const migrationLimits: PostgresLimits = {
  connectMs: 5000,
  statementMs: 30 * 60_000,
  silenceMs: 2000,
  connections: 1,
}

const keepAliveAfterMs = 10_000
const idleMs = 60_000

/** Creates a Kysely dialect for the client `pg`. Queries fail with `unavailable` when the server cannot be reached. */
export function postgresDialect(address: string, patience: PostgresLimits): PostgresDialect {
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
    // `pg` returns integers of eight bytes as text. No stored integer exceeds the range that JavaScript represents
    // exactly.
    types: {
      getTypeParser: (id, format) =>
        id === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(id, format),
    },
  })
  // The server may close an idle connection. The error is ignored, because the next query opens another connection.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new PostgresDialect({ pool: withExplainedErrors(pool) })
}

/** Wraps a pool so that its errors are converted into `AppError`s. A connection that has failed is not used again. */
const withExplainedErrors = (pool: Pool): PostgresPool => ({
  options: pool.options,
  end: () => pool.end(),
  async connect() {
    try {
      return withExplainedQueryErrors(await pool.connect())
    } catch (thrown) {
      throw explainPostgresError(thrown)
    }
  },
})

function withExplainedQueryErrors(client: PoolClient): PostgresPoolClient {
  let isLost = false
  const explained = (thrown: unknown): unknown => {
    isLost ||= isConnectionLost(thrown)
    return explainPostgresError(thrown)
  }
  const query = (text: string, values: readonly unknown[]) =>
    client.query(text, [...values]).catch((thrown: unknown) => Promise.reject(explained(thrown)))
  return {
    // `PostgresPoolClient` also declares an overload for cursors. Kysely calls it only for streams, which Stowage does
    // not use.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isBroken) => client.release(isLost || isBroken === true),
  }
}
