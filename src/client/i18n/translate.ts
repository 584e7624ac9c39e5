import { formatCount, formatterFor, locale } from './locale.ts'
import type { MessageValues } from './message-values.ts'
import { piecesOf, type CompiledMessage } from './render-message.ts'

/** The id of a message of the catalogues. The build replaces ids by numbers. */
export type MessageId = keyof MessageValues

/** The id of a message without values. */
export type PlainMessageId = {
  [Id in MessageId]: MessageValues[Id] extends null ? Id : never
}[MessageId]

/** The values of one message, or the values of all messages of a union of ids. */
export type ValuesOf<Id extends MessageId> = Intersection<Extract<MessageValues[Id], object>>
type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

/** The arguments of `t` after the id: none for messages without values. */
type ValueArguments<Id extends MessageId> = [Extract<MessageValues[Id], object>] extends [never]
  ? []
  : [values: ValuesOf<Id>]

/** Compiled messages by id. */
export type Texts = Readonly<Record<string, CompiledMessage>>

let texts: Texts = {}

/**
 * Returns the text of a message in the active language, or the id itself when no catalogue has it. Numbers are written in
 * the digits of the language. A name or path that may run in the other direction than the sentence is isolated from it.
 */
export const t = <Id extends MessageId>(id: Id, ...[values]: ValueArguments<Id>): string =>
  messagePieces(id, (values ?? {}) as Readonly<Record<string, unknown>>)
    .map((piece) => (typeof piece === 'string' ? piece : valueText(piece.value)))
    .join('')

/** Returns the texts of a message and its values at their positions. */
export const messagePieces = <Value>(
  id: MessageId,
  values: Readonly<Record<string, Value>>,
): ReturnType<typeof piecesOf<Value>> => piecesOf(texts[id] ?? id, values, categoryOf)

const categoryOf = (count: number): string =>
  formatterFor('plural', (tag) => new Intl.PluralRules(tag)).select(count)

/** Letters of scripts that run from right to left: Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms. */
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC]/u

/** The characters that begin and end an isolated text, whose first letter decides its direction (Unicode UAX 9). */
const [firstStrongIsolate, endOfIsolate] = ['\u2068', '\u2069']

function valueText(value: unknown): string {
  if (typeof value === 'number') return formatCount(value)
  const text = String(value)
  const isSameDirection = directionOf(locale.get()) === 'ltr' && !rightToLeft.test(text)
  return isSameDirection ? text : `${firstStrongIsolate}${text}${endOfIsolate}`
}

/** Activates a language with its messages, and sets the language and the text direction of the document. */
export function activate(tag: string, messages: Texts): void {
  texts = messages
  document.documentElement.lang = tag
  document.documentElement.dir = directionOf(tag)
  locale.set(tag)
}

/** Adds messages to the active language. A message that it already has is replaced. */
export function addTexts(messages: Texts): void {
  texts = { ...texts, ...messages }
}

/** Languages that are written from right to left. */
const rightToLeftLanguages = ['ar', 'ckb', 'dv', 'fa', 'he', 'ks', 'ps', 'sd', 'ug', 'ur', 'yi']

export const directionOf = (tag: string): 'ltr' | 'rtl' =>
  rightToLeftLanguages.includes(tag.split('-')[0] ?? '') ? 'rtl' : 'ltr'
