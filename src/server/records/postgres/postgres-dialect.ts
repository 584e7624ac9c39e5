import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type PoolClient } from 'pg'
import { isConnectionLost, explainPostgresError } from './postgres-failure.ts'

/**
 * The limits of the connections to a PostgreSQL server. Times are in milliseconds. Without these limits, the client
 * would wait forever for a server that does not respond.
 */
export type PostgresConnectionLimits = {
  readonly connectMs: number
  /**
   * The maximum duration of one statement, including the wait for a lock. The server cancels a statement that takes
   * longer.
   */
  readonly statementMs: number
  /** The time after `statementMs` within which the server must respond. Otherwise the client closes the connection. */
  readonly responseGraceMs: number
  /** The maximum number of open connections. */
  readonly maxConnections: number
}

/**
 * The limits while the server handles requests. They are short, so that a request fails before its user stops waiting
 * for the response.
 */
export const servingLimits: PostgresConnectionLimits = {
  connectMs: 5000,
  statementMs: 10_000,
  responseGraceMs: 2000,
  maxConnections: 10,
}

/**
 * The limits during a migration. A migration may take a long time, and may wait for another process that migrates the
 * database.
 */
export const migrationLimits: PostgresConnectionLimits = {
  connectMs: 5000,
  statementMs: 30 * 60_000,
  responseGraceMs: 2000,
  maxConnections: 1,
}

const keepAliveAfterMs = 10_000
const idleMs = 60_000

/** Creates a Kysely dialect for the client `pg`. Queries fail with `unavailable` when the server cannot be reached. */
export function postgresDialect(url: string, limits: PostgresConnectionLimits): PostgresDialect {
  const { connectMs, statementMs, responseGraceMs, maxConnections } = limits
  const pool = new Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    lock_timeout: statementMs,
    query_timeout: statementMs + responseGraceMs,
    idle_in_transaction_session_timeout: statementMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    fallback_application_name: 'stowage',
    // `pg` returns integers of eight bytes as strings. They are converted to numbers, because no stored integer exceeds
    // the range that JavaScript represents exactly.
    types: {
      getTypeParser: (id, format) =>
        id === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(id, format),
    },
  })
  // The server may close an idle connection. This error is ignored, because the next query opens another connection.
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
