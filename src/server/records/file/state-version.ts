import { performance } from 'node:perf_hooks'
import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Reads the version of a database: a number that changes with every commit of any process. */
export type StateVersionReader = {
  readonly now: () => number
  /** Must be called before every statement of this process, so that the next call of `now` reads the version again. */
  forget(): void
  close(): void
}

/** Returns the number of the current turn of the event loop. */
const currentTurn = (): number => performance.nodeTiming.uvMetricsInfo.loopCount

/**
 * Creates a reader with a separate connection, on which `pragma data_version` changes with the commits of this process
 * and of other processes. One read takes two microseconds, or more on a busy processor. Further calls in the same turn
 * of the event loop return the same version: the requests that are handled in that turn had arrived before the version
 * was read.
 */
export function watchState(file: string): StateVersionReader {
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
