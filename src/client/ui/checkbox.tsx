import type { InputHTMLAttributes } from 'react'
import { classNames } from './class-names.ts'
import styles from './checkbox.module.css'

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & {
  readonly label: string
  /** True when the box stands for several choices of which only some are made. */
  readonly isMixed?: boolean
}

export function Checkbox({ label, isMixed = false, className, ...input }: CheckboxProps) {
  return (
    <label className={classNames(styles.checkbox, className)}>
      <input
        {...input}
        ref={(box) => {
          if (box !== null) box.indeterminate = isMixed
        }}
        type="checkbox"
        className={styles.box}
      />
      <span>{label}</span>
    </label>
  )
}
