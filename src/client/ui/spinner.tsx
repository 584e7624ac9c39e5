import { classNames } from './class-names.ts'
import styles from './spinner.module.css'

type SpinnerProps = { readonly className?: string | undefined; readonly size?: 'small' | 'large' }

/** Renders a turning circle. The text beside it or a live region has to say what is going on. */
export const Spinner = ({ className, size = 'small' }: SpinnerProps) => (
  <span className={classNames(styles.spinner, styles[size], className)} aria-hidden />
)
