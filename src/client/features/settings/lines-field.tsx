import { useId, useState } from 'react'
import styles from './lines-field.module.css'

type LinesFieldProps = {
  readonly label: string
  readonly isLabelHidden?: boolean
  readonly value: readonly string[]
  readonly onChange: (lines: readonly string[]) => void
}

/** Splits a text into its lines. Empty lines are dropped (specification 5). */
export const linesOf = (text: string): string[] => text.split(/\r?\n/).filter((line) => line.trim() !== '')

/** Renders a text area for a list of lines. */
export function LinesField({ label, isLabelHidden = false, value, onChange }: LinesFieldProps) {
  const id = useId()
  const joined = value.join('\n')
  // The typed text is kept as long as it has the same lines, so that a new empty line does not vanish.
  const [typed, setTyped] = useState(joined)
  const text = linesOf(typed).join('\n') === joined ? typed : joined
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <textarea
        id={id}
        className={styles.area}
        rows={Math.min(Math.max(text.split('\n').length + 1, 3), 12)}
        wrap="off"
        spellCheck={false}
        autoCapitalize="none"
        value={text}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(linesOf(target.value))
        }}
      />
    </div>
  )
}
