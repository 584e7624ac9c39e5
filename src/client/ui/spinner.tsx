import { classNames } from './class-names.ts'
import styles from './spinner.module.css'

type SpinnerProps = { readonly className?: string | undefined; readonly size?: 'small' | 'large' }

/** Turns while something is under way. What it is must be said in words beside it or in a live region. */
export const Spinner = ({ className, size = 'small' }: SpinnerProps) => (
  <span className={classNames(styles.spinner, styles[size], className)} aria-hidden />
)
