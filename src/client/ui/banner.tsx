import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconDrawing } from './icon.tsx'
import styles from './banner.module.css'

type BannerProps = {
  readonly kind?: 'note' | 'success' | 'warning' | 'danger'
  readonly icon?: IconDrawing
  /** True makes screen readers announce the banner as soon as it appears. */
  readonly isAlert?: boolean
  readonly children: ReactNode
  readonly actions?: ReactNode
}

/** Renders a strip with a message about the content below it. */
export function Banner({ kind = 'note', icon, isAlert = false, children, actions }: BannerProps) {
  return (
    <div className={classNames(styles.banner, styles[kind])} role={isAlert ? 'alert' : undefined}>
      {icon && <Icon icon={icon} />}
      <div className={styles.text}>{children}</div>
      {actions}
    </div>
  )
}
