import { classNames } from './class-names.ts'
import { partsOfName, visibleName } from './visible-name.ts'
import styles from './file-name.module.css'

type FileNameProps = {
  readonly name: string
  readonly className?: string | undefined
  /** Wraps a long name over several lines. Without this option a long name is shortened in the middle. */
  readonly isWhole?: boolean
}

/**
 * Renders a file name in its own text direction, with invisible characters made visible, and with an extension that is
 * never cut off.
 */
export function FileName({ name, className, isWhole = false }: FileNameProps) {
  if (isWhole) return <bdi className={className}>{visibleName(name)}</bdi>
  const { start, end } = partsOfName(name)
  return (
    <bdi className={classNames(styles.name, className)} title={visibleName(name)}>
      <span className={classNames(styles.start, start.length > 7 && styles.long)} data-part="name-start">
        {start}
      </span>
      {end !== '' && <span className={styles.end}>{end}</span>}
    </bdi>
  )
}
