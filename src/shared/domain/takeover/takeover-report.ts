import { textOfMessage, type TakeoverMessage } from './takeover-notes.ts'

/** The subject of a note that is about neither a user nor the server itself. */
export type TakeoverNoteSubject = 'everybody' | 'new-users'

/** A sentence for the administrator about one part of a takeover. */
export type TakeoverNote = {
  /** The sentence in English, for the command line and the log. */
  readonly text: string
  /** The message that the client shows in the language of the administrator. Absent in records of early versions. */
  readonly message?: TakeoverMessage
  /** Absent for a note about a user or about the server itself. */
  readonly subject?: TakeoverNoteSubject
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
export const takeoverNote = (message: TakeoverMessage): TakeoverNote => ({
  text: textOfMessage(message),
  message,
})

/** Returns a note about a user. */
export const noteOnUser = (
  user: NonNullable<TakeoverNote['user']>,
  message: TakeoverMessage,
): TakeoverNote => ({ ...takeoverNote(message), user })

/** Returns a note about the rules for everybody. */
export const noteOnEverybody = (message: TakeoverMessage): TakeoverNote => ({
  text: textOfMessage(message, ' for everybody'),
  message,
  subject: 'everybody',
})

/** Returns a note about new users. */
export const noteOnNewUsers = (message: TakeoverMessage): TakeoverNote => ({
  text: `For new users: ${textOfMessage(message)}`,
  message,
  subject: 'new-users',
})

/** Returns a note that has only a sentence, which is shown in English in every language. */
export const noteOfSentence = (text: string): TakeoverNote => ({ text })

/** Returns the report of an import, whose sentences name their users themselves. Only the command line prints it. */
export const reportOfSentences = (sentences: {
  readonly [Part in keyof TakeoverReport]: readonly string[]
}): TakeoverReport => ({
  kept: sentences.kept.map(noteOfSentence),
  changed: sentences.changed.map(noteOfSentence),
  left: sentences.left.map(noteOfSentence),
})

/** Returns a note as one sentence that names its user. */
export const sentenceOf = ({ text, user }: TakeoverNote): string =>
  user === undefined ? text : `User ${user.name}: ${text}`
