import { performance } from 'node:perf_hooks'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Reads the version of a database: a number that changes with every commit of any process. */
export type StateVersionReader = {
  readonly now: () => number
  /**
   * Must be called before every statement that this process runs, so that the next call of `now` reads the version
   * again.
   */
  forget(): void
  close(): void
}

/** Returns the number of the current turn of the event loop. */
const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * Creates a reader with a separate connection, on which `pragma data_version` changes with the commits of this process
 * and of other processes. One read takes two microseconds, or more on a busy processor. Further calls in the same turn
 * of the event loop return the same version, because all requests of that turn had arrived before the version was read.
 */
export function createStateVersionReader(file: string): StateVersionReader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  let versionQuery: StatementSync | undefined
  let knownVersion: number | null = null
  let readInTurn = -1
  const prepareQuery = (): StatementSync => {
    const statement = database.prepare('pragma data_version')
    statement.setReturnArrays(true)
    return statement
  }
  return {
    now() {
      const turn = currentTurn()
      if (knownVersion !== null && readInTurn === turn) return knownVersion
      const [version] = (versionQuery ??= prepareQuery()).get() as unknown as readonly [number]
      readInTurn = turn
      return (knownVersion = version)
    },
    forget: () => void (knownVersion = null),
    close: () => database.close(),
  }
}
