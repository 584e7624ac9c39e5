import type { ChangeMessage } from '../../../../shared/contract/events.ts'

/** The delay between a change and its display, in milliseconds, so that changes that belong together appear together. */
const collectMs = 50
/**
 * While the pointer moves, the rows stay where they are. They change when the pointer has rested for this time, in
 * milliseconds.
 */
const restMs = 400
/** The longest time for which a moving pointer delays changes, in milliseconds. */
const maxDelayMs = 1500
/** When more changed paths than this were shown, all of them are forgotten. */
const maxShownPaths = 1000

export type ChangeQueueDependencies = {
  /** Runs a callback after a delay. The returned function cancels the callback. */
  readonly later: (ms: number, run: () => void) => () => void
  readonly nowMs: () => number
  /** Returns the time of the last movement of the pointer. */
  readonly pointerMovedMs: () => number
  /** Returns true while rows have to stay as they are: a menu is open, or a name is edited in its row. */
  readonly isHeld: () => boolean
  /** Shows changes of the open folder. Returns false when the folder has to be fetched again instead. */
  readonly show: (changes: readonly ChangeMessage[]) => boolean
  /** Returns true when the open folder has a row for a path. */
  readonly hasRow: (path: string) => boolean
  /** Fetches the whole folder again, soon. */
  readonly reloadSoon: () => void
}

/** Collects the changes that others make, and shows them when the pointer rests and nothing holds the rows. */
export type ChangeQueue = {
  readonly add: (change: ChangeMessage) => void
  /**
   * Records a change that this tab has already shown. Waiting changes of the same entries are out of date and are
   * dropped. The folder is fetched again if one of them was a move, or if an earlier change, shown in the meantime,
   * has restored a row that this change removed.
   */
  readonly addOwn: (change: ChangeMessage) => void
  readonly stop: () => void
}

export function createChangeQueue(dependencies: ChangeQueueDependencies): ChangeQueue {
  const { later, nowMs, pointerMovedMs, isHeld, show, hasRow, reloadSoon } = dependencies
  let waiting: ChangeMessage[] = []
  let cancel: (() => void) | null = null
  let firstMs = 0
  const shownPaths = new Set<string>()

  function showOrWait(): void {
    const isMoving = nowMs() - pointerMovedMs() < restMs && nowMs() - firstMs < maxDelayMs
    if (isMoving || isHeld()) {
      cancel = later(restMs, showOrWait)
      return
    }
    cancel = null
    const changes = waiting
    waiting = []
    if (changes.length === 0) return
    if (shownPaths.size > maxShownPaths) shownPaths.clear()
    for (const path of changes.flatMap(pathsOf)) shownPaths.add(path)
    if (!show(changes)) reloadSoon()
  }

  return {
    add(change) {
      waiting.push(change)
      if (cancel !== null) return
      firstMs = nowMs()
      cancel = later(collectMs, showOrWait)
    },
    addOwn(own) {
      const changed = pathsOf(own)
      const isOutdated = (change: ChangeMessage): boolean =>
        pathsOf(change).some((path) => changed.includes(path))
      const outdated = waiting.filter(isOutdated)
      waiting = waiting.filter((change) => !isOutdated(change))
      const isBack =
        (own.kind === 'removed' || own.kind === 'moved') && shownPaths.has(own.path) && hasRow(own.path)
      for (const path of changed) shownPaths.delete(path)
      // A dropped move has also changed another path, whose row has not been updated.
      if (isBack || outdated.some(({ kind }) => kind === 'moved' || kind === 'reload')) reloadSoon()
    },
    stop: () => cancel?.(),
  }
}

/** Returns the paths of the entries that a change concerns. The source of a copy does not change. */
const pathsOf = ({ kind, path, to }: ChangeMessage): readonly string[] =>
  to === undefined ? [path] : kind === 'copied' ? [to] : [path, to]
