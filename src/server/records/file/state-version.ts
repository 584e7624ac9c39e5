import { DatabaseSync, type StatementSync } from 'node:sqlite'

/** Whether the state has changed: a number that is another one after every commit, whoever made it. */
export type StateVersion = {
  now(): number
  /** To be called with every statement of ours: what was asked before it is asked again. */
  forget(): void
  close(): void
}

/**
 * Watches a database from a connection of its own, which therefore hears of our commits as of those of other processes
 * (`pragma data_version`: two microseconds). Who asks again in the same turn of the event loop gets the first answer: whatever is
 * decided in that turn was received before it.
 */
export function watchState(file: string): StateVersion {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  let asking: StatementSync | undefined
  let known: number | null = null
  const forget = (): void => void (known = null)
  /** Ticks run before promises go on, but for one that is asked for among them: that runs when all of these are done. */
  const forgetAfterThis = (): void => process.nextTick(forget)
  const ask = (): StatementSync => {
    const statement = database.prepare('pragma data_version')
    statement.setReturnArrays(true)
    return statement
  }
  return {
    now() {
      if (known !== null) return known
      const [version] = (asking ??= ask()).get() as unknown as readonly [number]
      queueMicrotask(forgetAfterThis)
      return (known = version)
    },
    forget,
    close: () => database.close(),
  }
}
