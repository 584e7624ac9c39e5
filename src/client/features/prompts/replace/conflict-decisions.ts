import type { PlainMessageId } from '../../../i18n/translate.ts'
import type { NameConflict } from '../../../state/conflicts/name-conflict.ts'

/** The user's choice for a conflict in the dialog. `newer` replaces the existing entry if it is older. */
export type ConflictDecision = 'skip' | 'overwrite' | 'rename' | 'newer'

/** The names of the decisions. */
export const decisionLabels = {
  skip: 'buttons.skip',
  overwrite: 'buttons.overwrite',
  rename: 'buttons.keepBoth',
  newer: 'buttons.newer',
} as const satisfies Record<ConflictDecision, PlainMessageId>

/** The numbers of entries that a set of choices replaces, keeps under two names, skips, and sends without a conflict. */
export type ConflictOutcome = {
  readonly replaced: number
  readonly kept: number
  readonly skipped: number
  readonly sent: number
}

/** Returns the decisions that the dialog offers. An entry that cannot get another name cannot be kept beside it. */
export const decisionsFor = (conflicts: readonly NameConflict[]): readonly ConflictDecision[] =>
  (['skip', 'overwrite', 'rename', 'newer'] as const).filter(
    (decision) => decision !== 'rename' || conflicts.every(({ freeName }) => freeName !== null),
  )

/** Returns the choice that a decision means for one conflict. */
export function choiceOfDecision(
  decision: ConflictDecision,
  { source, existing }: NameConflict,
): 'overwrite' | 'rename' | 'skip' {
  if (decision !== 'newer') return decision
  return existing !== null && source.modifiedMs > existing.modifiedMs ? 'overwrite' : 'skip'
}

/** Counts the results of the decisions for `of` entries, of which some have a conflict. */
export function outcomeOf(
  conflicts: readonly NameConflict[],
  decisionOf: (conflict: NameConflict) => ConflictDecision,
  total: number,
): ConflictOutcome {
  const choices = conflicts.map((conflict) => choiceOfDecision(decisionOf(conflict), conflict))
  const count = (wanted: string): number => choices.filter((choice) => choice === wanted).length
  return {
    replaced: count('overwrite'),
    kept: count('rename'),
    skipped: count('skip'),
    sent: Math.max(total - conflicts.length, 0),
  }
}
