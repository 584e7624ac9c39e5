import { AppError } from '../../../shared/domain/failure.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { NameSearchMatches, Storage } from '../port.ts'
import { streamTask, type StorageContext } from './storage-context.ts'
import { createFoundPredicate, type FoundPredicate, hasRules } from './rules.ts'
import { unpackStat } from './trees/match-stat.ts'

/**
 * Yields the names that a search in a worker thread finds and that the rules allow. The rules are applied here, on the
 * main thread, because otherwise the worker thread would have to send a request for each folder that it enters.
 */
export async function* findNames(
  context: StorageContext,
  path: Path,
  {
    query,
    describes = false,
    abbreviations = false,
    onUnreachable,
    ...options
  }: Parameters<Storage['find']>[1],
): AsyncGenerator<NameSearchMatches, void> {
  const { rules } = context
  if (!rules.mayRead) throw new AppError('forbidden')
  const input = { path, query, describes, abbreviations }
  const sent = streamTask(context, { task: 'find', input, options })
  const predicates = new Map<Path, FoundPredicate>()
  const predicateFor = (start: Path): FoundPredicate => {
    const predicate = predicates.get(start) ?? createFoundPredicate(rules, start)
    predicates.set(start, predicate)
    return predicate
  }
  for await (const { at, paths: joined, folders, stats, unreachable } of sent) {
    const paths = joined === '' ? [] : joined.split('\0')
    const isAllowed = hasRules(rules)
      ? requireBoth(predicateFor(path), at === path ? null : predicateFor(at))
      : () => true
    const gaps = unreachable.filter((below) => below === '' || isAllowed(below)).length
    if (gaps > 0) onUnreachable?.(gaps)
    const kept = paths.flatMap((below, index) => (isAllowed(below) ? [index] : []))
    if (kept.length === 0) continue
    yield {
      paths: kept.map((index) => paths[index] ?? ''),
      folders: kept.map((index) => folders[index] === 1),
      ...(stats !== null && { stats: kept.map((index) => unpackStat(stats, index)) }),
    }
  }
}

/**
 * Combines the checks of the requested path and of the resolved path, which differ when links were crossed. Both paths
 * must be allowed.
 */
const requireBoth = (requested: FoundPredicate, resolved: FoundPredicate | null): FoundPredicate =>
  resolved === null ? requested : (below) => requested(below) && resolved(below)
