import { joinPaths, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { StorageChange } from '../../changes/change.ts'
import { createScopeUsage, type ScopeUsageDependencies, type ScopeUsage } from './scope-usage.ts'

/** Tracks the bytes used in each scope whose user has a quota. */
export type ScopeUsageTracker = {
  /** Returns the usage of a scope. Users with the same scope share one usage. */
  usageOf(scope: Path): ScopeUsage
  /**
   * Updates the cached usage of every scope that contains the changed path, after this server has made the change.
   */
  recordChange(change: StorageChange): void
}

export function createQuotas(dependencies: ScopeUsageDependencies): ScopeUsageTracker {
  const usages = new Map<Path, ScopeUsage>()

  function recordChangeAt(path: Path, change: StorageChange): void {
    for (let folder = path; ; folder = parentOf(folder)) {
      const direction = directionOf(change, folder === change.countedIn)
      if (direction !== null) usages.get(folder)?.noteChange(direction)
      if (folder === root) return
    }
  }

  return {
    usageOf(scope) {
      const usage = usages.get(scope) ?? createScopeUsage(dependencies, scope)
      usages.set(scope, usage)
      return usage
    },
    recordChange(change) {
      if (usages.size === 0) return
      for (const relative of [change.path, change.to]) {
        const path = relative === undefined ? null : joinPaths(change.scope, relative)
        if (path !== null) recordChangeAt(path, change)
      }
    },
  }
}

/**
 * Returns whether a change will increase (`more`) or decrease (`less`) the cached usage of a scope. Returns null when
 * the cached usage already includes the change. Bytes that arrived under a reservation are already included. A move
 * within the scope can only reduce the usage, by replacing an entry.
 */
function directionOf({ kind }: StorageChange, isCounted: boolean): 'more' | 'less' | null {
  if (kind === 'removed') return 'less'
  if (!isCounted) return 'more'
  return kind === 'moved' ? 'less' : null
}
