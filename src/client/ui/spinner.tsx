import { classNames } from './class-names.ts'
import styles from './spinner.module.css'

type SpinnerProps = { readonly className?: string | undefined; readonly size?: 'small' | 'large' }

/** Renders a rotating circle. A text beside the circle or a live region has to describe the running work. */
export const Spinner = ({ className, size = 'small' }: SpinnerProps) => (
  <span className={classNames(styles.spinner, styles[size], className)} aria-hidden />
)
