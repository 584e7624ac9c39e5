import { AppError } from '../../../shared/domain/failure.ts'
import { valueOf } from '../../config/arguments.ts'
import { UsageError } from '../../config/usage-error.ts'
import { integer } from '../../config/option-kinds.ts'
import type { Option } from '../../config/option.ts'

const place = { kind: integer(0, 1_000_000), default: 0 } as const

/** The flag `--index`, which has no effect. It is accepted because scripts for File Browser pass it. */
export const meaninglessIndex: Option = { name: 'index', ...place, meaning: 'Accepted, without effect.' }

/**
 * Returns a list without the members from INDEX to END, inclusive. Without END, only the member at INDEX is removed.
 * Throws `not-found` when an index is beyond the list, and a `UsageError` when an argument is not a number or END is
 * smaller than INDEX.
 */
export function withoutIndexes<T>(list: readonly T[], { words, thing }: IndexRange): readonly T[] {
  const [first = '', last = first] = words
  const from = valueOf<number>({ name: 'INDEX', ...place, meaning: '' }, first, 'INDEX')
  const to = valueOf<number>({ name: 'END', ...place, meaning: '' }, last, 'END')
  if (to < from) throw new UsageError('END is smaller than INDEX')
  const missing = [from, to].find((at) => at >= list.length)
  if (missing !== undefined) throw new AppError('not-found', { reason: `there is no ${thing} ${missing}` })
  return list.filter((_, at) => at < from || at > to)
}

type IndexRange = {
  /** The arguments INDEX and, optionally, END. */
  readonly words: readonly string[]
  /** The noun for a member of the list in the reason of `not-found`. */
  readonly thing: string
}
