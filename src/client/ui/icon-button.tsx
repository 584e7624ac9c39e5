import { type ButtonHTMLAttributes, type Ref, useId, useState } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconDrawing } from './icon.tsx'
import { Spinner } from './spinner.tsx'
import styles from './icon-button.module.css'

type IconButtonProps = Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'children' | 'aria-label' | 'title' | 'onPointerDown' | 'onPointerLeave'
> & {
  readonly icon: IconDrawing
  /** The accessible name, which is also the text of the tooltip. */
  readonly label: string
  /** The key combination shown beside the label, such as `Ctrl F`. */
  readonly hint?: string | undefined
  readonly isBusy?: boolean
  /**
   * The reason why the button cannot be pressed now. It replaces the hint, and the button keeps its place and can still
   * get the focus, so that keyboard and screen reader users learn the reason.
   */
  readonly blockedBy?: string | undefined
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
  blockedBy,
  badge,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  const id = useId()
  const [isPressed, setPressed] = useState(false)
  const note = blockedBy ?? hint
  const button = (
    <button
      type="button"
      {...rest}
      aria-label={label}
      aria-busy={isBusy || undefined}
      aria-disabled={blockedBy !== undefined || undefined}
      aria-describedby={blockedBy === undefined ? undefined : id}
      onClick={blockedBy === undefined ? onClick : undefined}
      onPointerDown={() => setPressed(true)}
      onPointerLeave={() => setPressed(false)}
      data-pressed={isPressed || undefined}
      className={classNames(styles.button, className)}
    >
      {isBusy ? <Spinner /> : <Icon icon={icon} />}
      {badge !== undefined && badge > 0 && (
        <span className={styles.badge} data-text={badge > 99 ? '99+' : badge} />
      )}
      <span className={styles.tip} data-text={label}>
        {note !== undefined && <span className={styles.hint} data-text={note} />}
      </span>
    </button>
  )
  if (blockedBy === undefined) return button
  return (
    <>
      {button}
      <span id={id} hidden>
        {blockedBy}
      </span>
    </>
  )
}
