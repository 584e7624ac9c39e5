import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconDrawing } from './icon.tsx'
import { Spinner } from './spinner.tsx'
import styles from './button.module.css'

export type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> & {
  readonly kind?: 'primary' | 'secondary' | 'quiet' | 'danger'
  readonly icon?: IconDrawing
  /**
   * True while the button's action is running. The button then cannot be pressed again, and keeps its width and the
   * focus.
   */
  readonly isBusy?: boolean
  readonly children: ReactNode
  readonly ref?: Ref<HTMLButtonElement>
}

export function Button({
  kind = 'secondary',
  icon,
  isBusy = false,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-disabled={isBusy || undefined}
      onClick={(event) => (isBusy ? event.preventDefault() : onClick?.(event))}
      className={classNames(styles.button, styles[kind], isBusy && styles.busy, className)}
    >
      <span className={styles.content}>
        {icon && <Icon icon={icon} size={16} />}
        {children}
      </span>
      {isBusy && <Spinner className={styles.spinner} />}
    </button>
  )
}
