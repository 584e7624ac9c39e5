import { AppError } from '../../../shared/domain/failure.ts'
import { joinPaths, type Path } from '../../../shared/domain/path.ts'
import type { NarrowOptions } from '../port.ts'
import { unpackNames } from './calls/packed-names.ts'
import { isReserved } from './resolution/reserved-names.ts'
import type { MainThreadRequest } from './resolution/task-context.ts'
import { pathBelow } from './resolution/resolve-path.ts'

/** Rights and conditions of a storage, combined from all its narrowings. */
export type Rules = {
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
export const noRules: Rules = { mayRead: true, mayWrite: true, permits: [], hides: [] }

/**
 * Returns the rules of a narrower storage. The rules of the wider storage still apply, to the path relative to the
 * wider storage, both as requested and as resolved.
 */
export function narrowRules(rules: Rules, to: NarrowOptions, places: readonly Path[]): Rules {
  const distinctPlaces = [...new Set(places)]
  return {
    mayRead: rules.mayRead && to.only !== 'write',
    mayWrite: rules.mayWrite && to.only !== 'read',
    permits: [
      ...liftPredicates(rules.permits, distinctPlaces, false),
      ...(to.permits === undefined ? [] : [to.permits]),
    ],
    hides: [
      ...liftPredicates(rules.hides, distinctPlaces, true),
      ...(to.hides === undefined ? [] : [to.hides]),
    ],
  }
}

/**
 * Converts predicates of the wider storage to predicates of the narrower storage. `otherwise` is the result for a path
 * that would be too long in the wider storage. It is chosen so that the path is denied.
 */
const liftPredicates = (
  judges: readonly PathPredicate[],
  places: readonly Path[],
  otherwise: boolean,
): PathPredicate[] =>
  places.flatMap((place) =>
    judges.map((judge) => (path: Path) => {
      const above = joinPaths(place, path)
      return above === null ? otherwise : judge(above)
    }),
  )

/** Returns true when at least one rule or the dotfile preference must be evaluated for each path. */
export const hasRules = (rules: Rules): boolean => rules.permits.length + rules.hides.length > 0

/** Returns true when the rules permit a path. The dotfile preference is not considered. */
export const isPermitted = (rules: Rules, path: Path): boolean =>
  rules.permits.every((permits) => permits(path))

const isAllowed = (rules: Rules, path: Path): boolean =>
  isPermitted(rules, path) && !rules.hides.some((hides) => hides(path))

/** Throws `forbidden` when the storage is write-only. */
export function refuseReading({ mayRead }: Rules): void {
  if (!mayRead) throw new AppError('forbidden')
}

/** Throws `forbidden` when the storage is read-only. */
export function refuseWriting({ mayWrite }: Rules): void {
  if (!mayWrite) throw new AppError('forbidden')
}

/** Throws `forbidden` when a path, as requested, is reserved, denied or hidden. */
export function refuseDenied(rules: Rules, path: Path, reservedNames: readonly string[]): void {
  if (isReserved(path, reservedNames) || !isAllowed(rules, path)) throw new AppError('forbidden')
}

/**
 * Number of paths that are checked before the event loop may run other work. Checking a large folder against a thousand
 * regular expressions takes seconds.
 */
const verdictsInARow = 16

/**
 * Checks the paths of a task's request against the rules. Returns one byte for each path: 1 when it is allowed, 0 when
 * it is denied.
 */
export async function verdictsOn(
  rules: Rules,
  question: Extract<MainThreadRequest, { kind: 'paths' | 'children' }>,
): Promise<Uint8Array> {
  if (question.kind === 'paths') {
    const judge = question.by === 'permits' ? isPermitted : isAllowed
    return verdictsOf(question.paths, (path) => judge(rules, path as Path))
  }
  const { folder } = question
  return verdictsOf(unpackNames(question.names), (name) => isAllowed(rules, pathBelow(folder, name)))
}

async function verdictsOf(texts: readonly string[], judge: (text: string) => boolean): Promise<Uint8Array> {
  const verdicts = new Uint8Array(texts.length)
  for (const [at, text] of texts.entries()) {
    if (at > 0 && at % verdictsInARow === 0) await new Promise((resolve) => setImmediate(resolve))
    verdicts[at] = Number(judge(text))
  }
  return verdicts
}
