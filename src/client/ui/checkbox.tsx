import type { InputHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './checkbox.module.css'

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  readonly label: string
  readonly isLabelHidden?: boolean
}

export function Checkbox({ label, isLabelHidden = false, className, ...input }: CheckboxProps) {
  return (
    <label className={classNames(styles.checkbox, className)}>
      <input {...input} type="checkbox" className={styles.box} />
      <span className={isLabelHidden ? 'visually-hidden' : undefined}>{label}</span>
    </label>
  )
}
