import { performance } from 'node:perf_hooks'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** A number that changes with every commit of any process, and thereby shows whether the state has changed. */
export type StateVersion = {
  readonly now: () => number
  /** Must be called with every statement of this process, so that the next call of `now` asks the database again. */
  forget(): void
  close(): void
}

/** Returns the number of the current turn of the event loop. */
const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * Watches a database on a separate connection, which notices the commits of this process as well as those of others
 * (`pragma data_version`: two microseconds, more on a busy processor). A second call in the same turn of the event loop
 * returns the first answer: the requests that are handled in that turn had arrived before the database was asked.
 */
export function watchState(file: string): StateVersion {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  let asking: StatementSync | undefined
  let known: number | null = null
  let knownIn = -1
  const ask = (): StatementSync => {
    const statement = database.prepare('pragma data_version')
    statement.setReturnArrays(true)
    return statement
  }
  return {
    now() {
      const present = currentTurn()
      if (known !== null && knownIn === present) return known
      const [version] = (asking ??= ask()).get() as unknown as readonly [number]
      knownIn = present
      return (known = version)
    },
    forget: () => void (known = null),
    close: () => database.close(),
  }
}
