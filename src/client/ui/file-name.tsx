import { classNames } from './class-names.ts'
import { partsOfName, visibleName } from './visible-name.ts'
import styles from './file-name.module.css'

type FileNameProps = {
  readonly name: string
  readonly className?: string | undefined
  /** Wraps instead of being cut short in the middle. */
  readonly isWhole?: boolean
}

/** A file's name: its own direction, nothing invisible in it, and its extension in view however narrow the place. */
export function FileName({ name, className, isWhole = false }: FileNameProps) {
  if (isWhole) return <bdi className={className}>{visibleName(name)}</bdi>
  const { start, end } = partsOfName(name)
  return (
    <bdi className={classNames(styles.name, className)} title={visibleName(name)}>
      <span className={styles.start}>{start}</span>
      {end !== '' && <span className={styles.end}>{end}</span>}
    </bdi>
  )
}
