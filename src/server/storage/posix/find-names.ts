import { AppError } from '../../../shared/domain/failure.ts'
import { parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { NameSearchMatches, Storage } from '../port.ts'
import { streamTask, type StorageContext } from './storage-context.ts'
import { hasRules, isPermitted, type StorageRules } from './rules.ts'
import { pathBelow } from './resolution/resolve-path.ts'
import { unpackFacts } from './trees/match-facts.ts'
import type { NameSearchMessage } from './trees/search-names.ts'

/**
 * Yields the names that a search in a worker thread finds and that the rules allow. The rules are applied here, on the
 * main thread, because otherwise the worker thread would have to send a request for each folder that it enters.
 */
export async function* findNames(
  context: StorageContext,
  path: Path,
  { query, describes = false, ...options }: Parameters<Storage['find']>[1],
): AsyncGenerator<NameSearchMatches, void> {
  const { rules } = context
  if (!rules.mayRead) throw new AppError('forbidden')
  const input = { path, query, describes }
  const sent = streamTask<NameSearchMessage>(context, { task: 'find', input, options })
  const predicates = new Map<Path, NamePredicate>()
  const predicateFor = (start: Path): NamePredicate => {
    const predicate = predicates.get(start) ?? createNamePredicate(rules, start)
    predicates.set(start, predicate)
    return predicate
  }
  for await (const { at, paths: joined, folders, facts } of sent) {
    const paths = joined.split('\0')
    const isAllowed = hasRules(rules)
      ? requireBoth(predicateFor(path), at === path ? null : predicateFor(at))
      : () => true
    const kept = paths.flatMap((below, index) => (isAllowed(below) ? [index] : []))
    if (kept.length === 0) continue
    yield {
      paths: kept.map((index) => paths[index] ?? ''),
      folders: kept.map((index) => folders[index] === 1),
      ...(facts !== null && { facts: kept.map((index) => unpackFacts(facts, index)) }),
    }
  }
}

/** Returns true when the entry at a path relative to the start folder may appear in the results. */
type NamePredicate = (below: string) => boolean

/**
 * Combines the checks of the requested path and of the resolved path, which differ when links were crossed. Both paths
 * must be allowed.
 */
const requireBoth = (requested: NamePredicate, resolved: NamePredicate | null): NamePredicate =>
  resolved === null ? requested : (below) => requested(below) && resolved(below)

/**
 * Creates the check for results below a start folder. A rule applies only to the path itself, while a hidden folder
 * hides everything below it. Folders above the start folder are not considered.
 */
function createNamePredicate(rules: StorageRules, start: Path): NamePredicate {
  const isHidden = (path: Path): boolean => rules.hides.some((hides) => hides(path))
  let folder: Path = start
  let isFolderHidden = false
  function isBelowHidden(path: Path): boolean {
    if (path === start || path === root) return false
    return isHidden(path) || isBelowHidden(parentOf(path))
  }
  return (below) => {
    const path = pathBelow(start, below)
    if (!isPermitted(rules, path)) return false
    if (rules.hides.length === 0) return true
    const above = parentOf(path)
    if (above !== folder) {
      folder = above
      isFolderHidden = isBelowHidden(above)
    }
    return !isFolderHidden && !isHidden(path)
  }
}
