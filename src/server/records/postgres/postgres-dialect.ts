import { PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, types, type PoolClient } from 'pg'
import { isConnectionLost, explainPostgresError } from './postgres-failure.ts'

/**
 * The limits of the connections to a server; times are in milliseconds. Without them the client would wait for ever.
 */
export type PostgresLimits = {
  readonly connectMs: number
  /** The longest duration of one statement, including the wait for a lock. The server then cancels the statement. */
  readonly statementMs: number
  /** The time after `statementMs` in which the server must answer. Then the client gives up the connection. */
  readonly silenceMs: number
  /** The most open connections. */
  readonly connections: number
}

/** The limits while serving: requests fail before people give up waiting. */
export const servingLimits: PostgresLimits = {
  connectMs: 5000,
  statementMs: 10_000,
  silenceMs: 2000,
  connections: 10,
}

/** The limits of a migration, which may take long and may wait for a migration by another process. */
export const migrationLimits: PostgresLimits = {
  connectMs: 5000,
  statementMs: 30 * 60_000,
  silenceMs: 2000,
  connections: 1,
}

const keepAliveAfterMs = 10_000
const idleMs = 60_000

/** Creates Kysely's dialect over `pg`. Queries fail with `unavailable` when the server cannot be reached. */
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
    // Integers of eight bytes arrive as text. None of ours exceeds the integers that JavaScript represents exactly.
    types: {
      getTypeParser: (id, format) =>
        id === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(id, format),
    },
  })
  // An idle connection may be closed by the server. The next query opens another connection.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return new PostgresDialect({ pool: withExplainedErrors(pool) })
}

/** Wraps a pool so that its errors become `AppError`s. A connection that has failed is not used again. */
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
    // Kysely uses the second overload, for cursors, only with streams, which this program does not use.
    query: query as unknown as PostgresPoolClient['query'],
    release: (isBroken) => client.release(isLost || isBroken === true),
  }
}
