/**
 * A message as the build compiles it from ICU syntax: a text, or a list of texts and placeholders. A placeholder is
 * `[name]`, and a plural or a selection is `[name, cases]` with the case `other` and further cases. The cases of a plural
 * are the categories of `Intl.PluralRules` and exact numbers such as `=1`.
 */
export type CompiledMessage = string | readonly MessagePiece[]
export type MessagePiece = string | readonly [name: string, cases?: MessageCases]
export type MessageCases = Readonly<Record<string, CompiledMessage>>

/**
 * Returns the texts of a message and, at the positions of its placeholders, the values. Selects the plural category of a
 * number with `categoryOf`.
 */
export function piecesOf<Value>(
  message: CompiledMessage,
  values: Readonly<Record<string, Value>>,
  categoryOf: (count: number) => string,
): readonly (string | { readonly value: Value | undefined })[] {
  // The number of a text that is not loaded stands for the text.
  if (typeof message !== 'object') return [message]
  return message.flatMap((piece) => {
    if (typeof piece === 'string') return [piece]
    const [name, cases] = piece
    const value = values[name]
    return cases === undefined ? [{ value }] : piecesOf(caseOf(cases, value, categoryOf), values, categoryOf)
  })
}

function caseOf(cases: MessageCases, value: unknown, categoryOf: (count: number) => string): CompiledMessage {
  const chosen =
    typeof value === 'number' ? (cases[`=${value}`] ?? cases[categoryOf(value)]) : cases[String(value)]
  return chosen ?? cases['other'] ?? ''
}
