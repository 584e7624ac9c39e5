import { AppError } from '../../../shared/domain/failure.ts'
import { valueOf } from '../../config/arguments.ts'
import { CallError } from '../../config/call-error.ts'
import { integer } from '../../config/kinds.ts'
import type { Option } from '../../config/option.ts'

const place = { kind: integer(0, 1_000_000), default: 0 } as const

/** Demanded by older scripts, and without a meaning. */
export const meaninglessIndex: Option = { name: 'index', ...place, meaning: 'Taken, and without effect.' }

/**
 * A list without its members from INDEX to END, both included; END is INDEX where it is not given. `not-found` when one of them
 * is no place in the list, `CallError` when a word is no number or END lies before INDEX.
 */
export function withoutPlaces<T>(list: readonly T[], { words, thing }: Places): readonly T[] {
  const [first = '', last = first] = words
  const from = valueOf<number>({ name: 'INDEX', ...place, meaning: '' }, first, 'INDEX')
  const to = valueOf<number>({ name: 'END', ...place, meaning: '' }, last, 'END')
  if (to < from) throw new CallError('END lies before INDEX')
  const missing = [from, to].find((at) => at >= list.length)
  if (missing !== undefined) throw new AppError('not-found', { reason: `there is no ${thing} ${missing}` })
  return list.filter((_, at) => at < from || at > to)
}

type Places = {
  /** INDEX, and maybe END. */
  readonly words: readonly string[]
  /** What the list holds, for the sentence that says that there is none. */
  readonly thing: string
}
