import type { ButtonHTMLAttributes, Ref } from 'react'
import { classNames } from './class-names.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import { Spinner } from './spinner.tsx'
import styles from './icon-button.module.css'

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'aria-label' | 'title'> & {
  readonly icon: IconName
  /** The accessible name, and the text that shows while the pointer or the focus rests on it. */
  readonly label: string
  /** Its key, shown beside the label: `Ctrl F`. */
  readonly hint?: string | undefined
  readonly isBusy?: boolean
  /** A small number at its corner. */
  readonly badge?: number | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

/** Badge and tip are drawn by the style sheet: as text they would stand beside the accessible name, and differ from it. */
export function IconButton({
  icon,
  label,
  hint,
  isBusy = false,
  badge,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-busy={isBusy || undefined}
      className={classNames(styles.button, className)}
    >
      {isBusy ? <Spinner /> : <Icon name={icon} />}
      {badge !== undefined && badge > 0 && (
        <span className={styles.badge} data-text={badge > 99 ? '99+' : badge} />
      )}
      <span className={styles.tip} data-text={label}>
        {hint !== undefined && <span className={styles.hint} data-text={hint} />}
      </span>
    </button>
  )
}
