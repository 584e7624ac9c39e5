import type { TakeoverNoteResource } from '../../../../shared/contract/server.ts'
import type {
  TakeoverNoteCode,
  TakeoverNoteValues,
} from '../../../../shared/domain/takeover/takeover-notes.ts'
import { listText } from '../../../i18n/joined-texts.ts'
import { t, type ValuesOf } from '../../../i18n/translate.ts'
import { visibleName } from '../../../ui/visible-name.ts'

type NoteMessageId<Code extends TakeoverNoteCode> = `settings.takeover.note.${Code}`

/** The values of a note as its message gets them: a list is one text. */
type ShownValues<Code extends TakeoverNoteCode> = {
  readonly [Name in keyof TakeoverNoteValues<Code>]: TakeoverNoteValues<Code>[Name] extends readonly string[]
    ? string
    : TakeoverNoteValues<Code>[Name]
}

/** The notes whose message has a value that the server does not send. The compiler accepts none. */
type MismatchedCode = {
  [Code in TakeoverNoteCode]: ShownValues<Code> extends ValuesOf<NoteMessageId<Code>> ? never : Code
}[TakeoverNoteCode]

/** All values that any message of a note has. */
type AllValues = [MismatchedCode] extends [never] ? ValuesOf<NoteMessageId<TakeoverNoteCode>> : never

/** Returns a note of a takeover in the language of the administrator; null for a note that has only an English sentence. */
export function noteText({
  message,
  subject,
}: Pick<TakeoverNoteResource, 'message' | 'subject'>): string | null {
  if (message === null) return null
  const values = Object.entries(message.values as Readonly<Record<string, unknown>>).map(([name, value]) => [
    name,
    shownValue(value),
  ])
  const note = t(`settings.takeover.note.${message.code}`, Object.fromEntries(values) as AllValues)
  return subject === null ? note : t(`settings.takeover.subject.${subject}`, { note })
}

function shownValue(value: unknown): string | number {
  if (typeof value === 'number') return value
  return Array.isArray(value)
    ? listText(value.map((text) => visibleName(String(text))))
    : visibleName(String(value))
}
