import { useId, type InputHTMLAttributes, type ReactNode, type Ref } from 'react'
import { classNames } from './class-names.ts'
import styles from './text-field.module.css'

type TextFieldProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> & {
  readonly label: string
  /** Exposes the label to screen readers only, where the surrounding content makes the purpose of the field clear. */
  readonly isLabelHidden?: boolean
  readonly hint?: ReactNode
  /** The reason why the value is refused. Screen readers announce it, and the field is marked as invalid. */
  readonly error?: string | null
  /** A button inside the field at its end, such as a button that shows the password. */
  readonly end?: ReactNode
  readonly ref?: Ref<HTMLInputElement>
}

export function TextField({
  label,
  isLabelHidden = false,
  hint,
  error,
  end,
  className,
  ...input
}: TextFieldProps) {
  const id = useId()
  const isWrong = error !== undefined && error !== null
  return (
    <div className={classNames(styles.field, className)}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <div className={styles.frame}>
        <input
          {...input}
          id={id}
          className={styles.input}
          aria-invalid={isWrong || undefined}
          aria-describedby={isWrong || hint ? `${id}-note` : undefined}
        />
        {end}
      </div>
      {(isWrong || hint) && (
        <p
          id={`${id}-note`}
          className={isWrong ? styles.error : styles.hint}
          role={isWrong ? 'alert' : undefined}
        >
          {isWrong ? error : hint}
        </p>
      )}
    </div>
  )
}
