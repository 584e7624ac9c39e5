import { useState, type ReactNode } from 'react'
import { TextField } from '../../ui/text-field.tsx'

type WordsFieldProps = {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (words: readonly string[]) => void
  readonly hint?: ReactNode
  readonly placeholder?: string | undefined
}

/** Splits a text at its spaces. Empty parts are dropped (specification 5). */
export const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

/** Renders a field for a list of words, which are separated by spaces. */
export function WordsField({ value, onChange, ...field }: WordsFieldProps) {
  const joined = value.join(' ')
  // The typed text is kept as long as it has the same words, so that a space at its end does not vanish.
  const [typed, setTyped] = useState(joined)
  return (
    <TextField
      {...field}
      dir="ltr"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      value={wordsOf(typed).join(' ') === joined ? typed : joined}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(wordsOf(target.value))
      }}
    />
  )
}
