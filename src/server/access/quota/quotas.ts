import { joinPaths, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { Change } from '../../changes/change.ts'
import { createScopeCount, type CountNeeds, type ScopeCount } from './scope-count.ts'

/** The counts of all scopes in which somebody has a quota. */
export type Quotas = {
  /** People with the same scope share a count. */
  countOf(scope: Path): ScopeCount
  /** Moves the counts along with every change that is made here. */
  hear(change: Change): void
}

export function createQuotas(needs: CountNeeds): Quotas {
  const counts = new Map<Path, ScopeCount>()

  function hearAt(path: Path, change: Change): void {
    for (let folder = path; ; folder = parentOf(folder)) {
      const news = newsOf(change, change.isCounted === true && folder === change.scope)
      if (news !== null) counts.get(folder)?.hear(news)
      if (folder === root) return
    }
  }

  return {
    countOf(scope) {
      const count = counts.get(scope) ?? createScopeCount(needs, scope)
      counts.set(scope, count)
      return count
    },
    hear(change) {
      if (counts.size === 0) return
      for (const below of [change.path, change.to]) {
        const path = below === undefined ? null : joinPaths(change.scope, below)
        if (path !== null) hearAt(path, change)
      }
    },
  }
}

/** What came by a reservation is counted already. Where something is moved within a scope, it can only have replaced something. */
function newsOf({ kind }: Change, isCounted: boolean): 'more' | 'less' | null {
  if (kind === 'removed') return 'less'
  if (!isCounted) return 'more'
  return kind === 'moved' ? 'less' : null
}
