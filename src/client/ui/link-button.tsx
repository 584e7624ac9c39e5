import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconDrawing } from './icon.tsx'
import styles from './button.module.css'

type LinkButtonProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'children'> & {
  readonly kind?: 'primary' | 'secondary' | 'quiet'
  readonly icon?: IconDrawing
  readonly children: ReactNode
  readonly ref?: Ref<HTMLAnchorElement>
}

/** Renders a link that looks like a button, for addresses that the user may also copy or open in a new tab. */
export const LinkButton = ({ kind = 'secondary', icon, className, children, ...rest }: LinkButtonProps) => (
  <a {...rest} className={classNames(styles.button, styles[kind], className)}>
    <span className={styles.content}>
      {icon && <Icon icon={icon} size={16} />}
      {children}
    </span>
  </a>
)
