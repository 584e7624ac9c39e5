import { useId, type ReactNode, type SelectHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './select-field.module.css'

type SelectFieldProps = Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'children'> & {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string; readonly lang?: string }[]
  readonly hint?: ReactNode
}

/** Renders a labelled list of which one option is chosen. */
export function SelectField({ label, options, hint, className, ...select }: SelectFieldProps) {
  const id = useId()
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      <select
        {...select}
        id={id}
        className={styles.select}
        aria-describedby={hint ? `${id}-note` : undefined}
      >
        {options.map(({ value, label: text, lang }) => (
          <option key={value} value={value} lang={lang}>
            {text}
          </option>
        ))}
      </select>
      {hint && (
        <p id={`${id}-note`} className={styles.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}
