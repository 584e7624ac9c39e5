import { isWithin, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { ScopeUsage } from './scope-usage.ts'

/** The usages of the scopes that are tracked. Scopes may contain each other. */
export type TrackedUsages = {
  set(scope: Path, usage: ScopeUsage): void
  get(scope: Path): ScopeUsage | undefined
  /** Returns the usages of all tracked scopes that contain a path. */
  above(path: Path): readonly ScopeUsage[]
  noteAbove(path: Path, direction: 'more' | 'less'): void
  /** Notes a change of the scopes that are in a folder. It is called for whole entries only, since it visits all scopes. */
  noteBelow(path: Path, direction: 'more' | 'less'): void
  /**
   * Notes that an entry was moved. Within a scope, a counted move can only reduce the usage, by replacing an entry. A
   * scan may have missed an entry that somebody without a quota has moved.
   */
  noteMove(from: Path, to: Path, isCounted: boolean): void
}

export function createTrackedUsages(): TrackedUsages {
  const usages = new Map<Path, ScopeUsage>()

  function above(path: Path): readonly ScopeUsage[] {
    const found: ScopeUsage[] = []
    for (let folder = path; ; folder = parentOf(folder)) {
      const usage = usages.get(folder)
      if (usage !== undefined) found.push(usage)
      if (folder === root) return found
    }
  }

  function noteAbove(path: Path, direction: 'more' | 'less'): void {
    for (const { counter } of above(path)) counter.noteChange(direction)
  }

  function noteBelow(path: Path, direction: 'more' | 'less'): void {
    for (const [scope, { counter }] of usages)
      if (scope !== path && isWithin(scope, path)) counter.noteChange(direction)
  }

  return {
    set: (scope, usage) => void usages.set(scope, usage),
    get: (scope) => usages.get(scope),
    above,
    noteAbove,
    noteBelow,
    noteMove(from, to, isCounted) {
      noteAbove(from, 'less')
      noteBelow(from, 'less')
      const before = new Set(above(from))
      for (const usage of above(to)) if (!isCounted || !before.has(usage)) usage.counter.noteChange('more')
      noteBelow(to, 'more')
    },
  }
}
