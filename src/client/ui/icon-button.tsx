import type { ButtonHTMLAttributes, Ref } from 'react'
import { classNames } from './class-names.ts'
import type { IconName } from './icon-names.ts'
import { Icon } from './icon.tsx'
import { Spinner } from './spinner.tsx'
import styles from './icon-button.module.css'

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'aria-label' | 'title'> & {
  readonly icon: IconName
  /** The accessible name, which is also the text of the tooltip. */
  readonly label: string
  /** The key combination shown beside the label, such as `Ctrl F`. */
  readonly hint?: string | undefined
  readonly isBusy?: boolean
  /** A small number at the corner of the button. */
  readonly badge?: number | undefined
  readonly ref?: Ref<HTMLButtonElement>
}

/**
 * Renders a button with an icon. The style sheet draws the badge and the tooltip from attributes. As text in the
 * document they would make the button's content differ from its accessible name.
 */
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
