import type { ChangedName, ChangedNames } from '../../folder-watcher.ts'

/** Collects the names of changed entries, so that a burst of notifications becomes one message. */
export type NameBatch = {
  /** Adds a change. Null stands for any number of unknown changes. */
  readonly add: (change: ChangedName | null) => void
  readonly end: () => void
  /** Yields the names that were added, until `end` is called. */
  readonly changes: () => AsyncGenerator<ChangedNames>
}

/** The time between a notification and the message, in milliseconds, so that one message covers what happens together. */
const settleMs = 100
/**
 * The longest time between two messages about a folder that changes all the time, in milliseconds. Each message costs a
 * task for every client that shows the folder.
 */
const maxSettleMs = 1000
/** A time without changes after which the next message needs only `settleMs` again, in milliseconds. */
const calmMs = 2000
/** More names than this become a message without names, after which clients read the folder again. */
const maxNames = 200

type NameBatchDependencies = {
  readonly later: (ms: number, run: () => void) => void
  readonly nowMs?: () => number
}

const doNothing = (): void => {}

export function createNameBatch({
  later,
  nowMs = () => performance.now(),
}: NameBatchDependencies): NameBatch {
  let names: Map<string, ChangedName> | null = new Map()
  let isWaiting = false
  let isDue = false
  let hasEnded = false
  let waitMs = settleMs
  let lastMs = Number.NEGATIVE_INFINITY
  let wake = doNothing

  function schedule(): void {
    isWaiting = true
    waitMs = nowMs() - lastMs > calmMs ? settleMs : Math.min(waitMs * 2, maxSettleMs)
    later(waitMs, () => {
      isWaiting = false
      isDue = true
      wake()
    })
  }

  function take(): ChangedNames {
    const taken = names === null ? null : [...names.values()]
    names = new Map()
    isDue = false
    lastMs = nowMs()
    return taken
  }

  return {
    add(change) {
      if (change === null || (names?.size ?? 0) >= maxNames) names = null
      else if (names?.get(change.name)?.hasMoved !== true) names?.set(change.name, change)
      if (!isWaiting && !isDue) schedule()
    },
    end() {
      hasEnded = true
      wake()
    },
    async *changes() {
      for (;;) {
        if (hasEnded) return
        if (isDue) yield take()
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    },
  }
}
