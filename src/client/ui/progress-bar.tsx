import { classNames } from './class-names.ts'
import styles from './progress-bar.module.css'

type ProgressBarProps = {
  readonly label: string
  /** The completed fraction, from 0 to 1. Null while the total is unknown. */
  readonly fraction: number | null
  readonly className?: string
}

export function ProgressBar({ label, fraction, className }: ProgressBarProps) {
  const percent = fraction === null ? undefined : Math.min(100, Math.ceil(fraction * 100))
  return (
    <progress aria-label={label} max={100} value={percent} className={classNames(styles.bar, className)} />
  )
}
