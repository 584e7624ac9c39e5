import { AppError } from '../../../shared/domain/failure.ts'
import { joinPaths } from '../../../shared/domain/path.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Narrow } from '../port.ts'
import { unpackNames } from './calls/packed-names.ts'
import { isReserved } from './reserved.ts'
import type { Question } from './resolve.ts'
import { pathBelow } from './resolve.ts'

/** What a storage's holder may reach and do, over all narrowings of it. */
export type Rules = {
  readonly mayRead: boolean
  readonly mayWrite: boolean
  readonly permits: readonly Judge[]
  readonly hides: readonly Judge[]
}

/** True: permitted, or hidden. */
type Judge = (path: Path) => boolean

export const noRules: Rules = { mayRead: true, mayWrite: true, permits: [], hides: [] }

/**
 * The rules of a narrower storage. Those above still hold: asked for the path as they see it, by the way that was asked for and by
 * the one that it resolved to.
 */
export function narrowed(rules: Rules, to: Narrow, places: readonly Path[]): Rules {
  const unlike = [...new Set(places)]
  return {
    mayRead: rules.mayRead && to.only !== 'write',
    mayWrite: rules.mayWrite && to.only !== 'read',
    permits: [...lifted(rules.permits, unlike, false), ...(to.permits === undefined ? [] : [to.permits])],
    hides: [...lifted(rules.hides, unlike, true), ...(to.hides === undefined ? [] : [to.hides])],
  }
}

/** A path too long to be judged from above is denied. */
const lifted = (judges: readonly Judge[], places: readonly Path[], otherwise: boolean): Judge[] =>
  places.flatMap((place) =>
    judges.map((judge) => (path: Path) => {
      const above = joinPaths(place, path)
      return above === null ? otherwise : judge(above)
    }),
  )

export const isJudged = (rules: Rules): boolean => rules.permits.length + rules.hides.length > 0

export const isPermitted = (rules: Rules, path: Path): boolean =>
  rules.permits.every((permits) => permits(path))

const isAllowed = (rules: Rules, path: Path): boolean =>
  isPermitted(rules, path) && !rules.hides.some((hides) => hides(path))

export function refuseReading({ mayRead }: Rules): void {
  if (!mayRead) throw new AppError('forbidden')
}

export function refuseWriting({ mayWrite }: Rules): void {
  if (!mayWrite) throw new AppError('forbidden')
}

/** Refuses a path as it was asked for. */
export function refuseDenied(rules: Rules, path: Path, topNames: readonly string[]): void {
  if (isReserved(path, topNames) || !isAllowed(rules, path)) throw new AppError('forbidden')
}

/** After so many verdicts others have their turn: a thousand expressions and a large folder are seconds of work. */
const verdictsInARow = 16

/** Answers what a task asks of the rules: a byte for each path. */
export async function verdictsOn(
  rules: Rules,
  question: Extract<Question, { kind: 'paths' | 'children' }>,
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
