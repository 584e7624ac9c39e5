import { classNames } from './class-names.ts'
import styles from './progress-bar.module.css'

type ProgressBarProps = {
  readonly label: string
  /** 0 to 1; null while it is not known how much there is to do. */
  readonly fraction: number | null
  readonly className?: string
}

export function ProgressBar({ label, fraction, className }: ProgressBarProps) {
  const percent = fraction === null ? null : Math.min(100, Math.ceil(fraction * 100))
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className={classNames(styles.track, className)}
    >
      <div
        className={classNames(styles.bar, percent === null && styles.unknown)}
        {...(percent !== null && { style: { inlineSize: `${percent}%` } })}
      />
    </div>
  )
}
