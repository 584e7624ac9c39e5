import { AppError } from '../../../shared/domain/failure.ts'
import { joinPaths, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import type { NarrowOptions } from '../port.ts'
import { unpackNames } from './calls/packed-names.ts'
import { isReserved } from './resolution/reserved-names.ts'
import type { MainThreadRequest } from './resolution/task-context.ts'
import { pathBelow } from './resolution/resolve-path.ts'

/** The rights and the path conditions of a storage, combined from all calls of `narrow` that led to this storage. */
export type StorageRules = {
  readonly mayRead: boolean
  readonly mayWrite: boolean
  readonly permits: readonly PathPredicate[]
  readonly hides: readonly PathPredicate[]
}

/**
 * A condition on a path. In `permits`, true means that the path is permitted. In `hides`, true means that the path is
 * hidden.
 */
type PathPredicate = (path: Path) => boolean

/** The rules of a whole volume: everything is allowed. */
export const noRules: StorageRules = { mayRead: true, mayWrite: true, permits: [], hides: [] }

/**
 * Returns the rules of a narrower storage. The rules of the wider storage still apply. They are evaluated for the path
 * relative to the wider storage, both as requested and with links resolved.
 */
export function narrowRules(
  rules: StorageRules,
  to: NarrowOptions,
  basePaths: readonly Path[],
): StorageRules {
  const distinctBasePaths = [...new Set(basePaths)]
  return {
    mayRead: rules.mayRead && to.only !== 'write',
    mayWrite: rules.mayWrite && to.only !== 'read',
    permits: [
      ...liftPredicates(rules.permits, distinctBasePaths, false),
      ...(to.permits === undefined ? [] : [to.permits]),
    ],
    hides: [
      ...liftPredicates(rules.hides, distinctBasePaths, true),
      ...(to.hides === undefined ? [] : [to.hides]),
    ],
  }
}

/**
 * Converts predicates of the wider storage to predicates of the narrower storage. `resultForTooLongPath` is the result
 * for a path that would be too long in the wider storage. Each caller passes the result that denies such a path.
 */
const liftPredicates = (
  predicates: readonly PathPredicate[],
  basePaths: readonly Path[],
  resultForTooLongPath: boolean,
): PathPredicate[] =>
  basePaths.flatMap((basePath) =>
    predicates.map((predicate) => (path: Path) => {
      const above = joinPaths(basePath, path)
      return above === null ? resultForTooLongPath : predicate(above)
    }),
  )

/** Returns true when at least one rule or the dotfile preference must be evaluated for each path. */
export const hasRules = (rules: StorageRules): boolean => rules.permits.length + rules.hides.length > 0

/** Returns true when the rules permit a path. The dotfile preference is not considered. */
export const isPermitted = (rules: StorageRules, path: Path): boolean =>
  rules.permits.every((permits) => permits(path))

const isAllowed = (rules: StorageRules, path: Path): boolean =>
  isPermitted(rules, path) && !rules.hides.some((hides) => hides(path))

/** Returns true when the entry at a path relative to the start folder may appear in the results. */
export type FoundPredicate = (below: string) => boolean

/**
 * Creates the check for results below a start folder. A rule applies only to the path itself, while a hidden folder
 * hides everything below it. Folders above the start folder are not considered.
 */
export function createFoundPredicate(rules: StorageRules, start: Path): FoundPredicate {
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

/** Throws `forbidden` when the storage is write-only. */
export function refuseReading({ mayRead }: StorageRules): void {
  if (!mayRead) throw new AppError('forbidden')
}

/** Throws `forbidden` when the storage is read-only. */
export function refuseWriting({ mayWrite }: StorageRules): void {
  if (!mayWrite) throw new AppError('forbidden')
}

/** Throws `forbidden` when the path itself is reserved, denied or hidden. Links in it are not resolved. */
export function refuseDenied(rules: StorageRules, path: Path, reservedNames: readonly string[]): void {
  if (isReserved(path, reservedNames) || !isAllowed(rules, path)) throw new AppError('forbidden')
}

/**
 * Duration of a series of checks, in ms, before the event loop may run other work. Checking one path against a thousand
 * regular expressions takes up to 10 ms, and checking the entries of a large folder takes minutes. Requests that
 * several tasks send at the same time take turns, and the response to another request needs some turns of each.
 */
const maxTurnMs = 8

/**
 * Checks the paths of a task's request against the rules. Returns one byte for each path: 1 when it is allowed, 0 when
 * it is denied.
 */
export async function evaluateRules(
  rules: StorageRules,
  request: Extract<MainThreadRequest, { kind: 'paths' | 'children' | 'found' }>,
): Promise<Uint8Array> {
  if (request.kind === 'found') return evaluateEach(request.paths, createFoundPredicate(rules, request.start))
  if (request.kind === 'paths') {
    const check = request.by === 'permits' ? isPermitted : isAllowed
    return evaluateEach(request.paths, (path) => check(rules, path as Path))
  }
  const { folder } = request
  return evaluateEach(unpackNames(request.names), (name) => isAllowed(rules, pathBelow(folder, name)))
}

async function evaluateEach(
  strings: readonly string[],
  check: (text: string) => boolean,
): Promise<Uint8Array> {
  const verdicts = new Uint8Array(strings.length)
  let turnEndMs = performance.now() + maxTurnMs
  for (const [index, text] of strings.entries()) {
    if (performance.now() >= turnEndMs) {
      await new Promise((resolve) => setImmediate(resolve))
      turnEndMs = performance.now() + maxTurnMs
    }
    verdicts[index] = Number(check(text))
  }
  return verdicts
}
