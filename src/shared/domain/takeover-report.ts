/** A sentence for the administrator about one part of a takeover. */
export type TakeoverNote = {
  readonly text: string
  /** The user whom the sentence is about, as the database of File Browser named them. Absent for the whole server. */
  readonly user?: { readonly id: number; readonly name: string }
  /** True when the takeover has disabled the account of the user until an administrator has looked at its folder. */
  readonly isDisabledAccount?: true
}

/** The result of a takeover of a database of File Browser, or of a dry run. */
export type TakeoverReport = {
  /** The parts that were taken over unchanged. */
  readonly kept: readonly TakeoverNote[]
  /** The parts that were taken over with a changed meaning. */
  readonly changed: readonly TakeoverNote[]
  /** The parts that were not taken over, each with the reason. */
  readonly left: readonly TakeoverNote[]
}

/** Returns a note about the whole server. */
export const takeoverNote = (text: string): TakeoverNote => ({ text })

/** Returns the report of an import, whose sentences name their users themselves. */
export const reportOfSentences = (sentences: {
  readonly [Part in keyof TakeoverReport]: readonly string[]
}): TakeoverReport => ({
  kept: sentences.kept.map(takeoverNote),
  changed: sentences.changed.map(takeoverNote),
  left: sentences.left.map(takeoverNote),
})

/** Returns a note as one sentence that names its user. */
export const sentenceOf = ({ text, user }: TakeoverNote): string =>
  user === undefined ? text : `User ${user.name}: ${text}`
