import { formatDate, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import type { NameConflict } from '../../../state/conflict-queue.ts'
import type { ComparedEntry } from '../../../state/listed-entry.ts'
import { FilePicture } from '../../../ui/file-picture.tsx'
import styles from './replace.module.css'

/** Compares the existing entry with the entry that is sent: size and time, and which of them is newer. */
export function ConflictSides({ conflict: { name, source, existing } }: { readonly conflict: NameConflict }) {
  const isNewer = existing !== null && source.modifiedMs > existing.modifiedMs
  const isOlder = existing !== null && source.modifiedMs < existing.modifiedMs
  return (
    <dl className={styles.sides}>
      <Side label={t('prompt.replace.existing')} name={name} facts={existing} isNewer={isOlder} />
      <Side label={t('prompt.replace.source')} name={name} facts={source} isNewer={isNewer} />
    </dl>
  )
}

type SideProps = {
  readonly label: string
  readonly name: string
  readonly facts: ComparedEntry | null
  readonly isNewer: boolean
}

function Side({ label, name, facts, isNewer }: SideProps) {
  if (facts === null) return null
  return (
    <div className={styles.side}>
      <FilePicture name={name} isLink={false} isBroken={false} {...facts} size={28} />
      <div>
        <dt className={styles.label}>{label}</dt>
        <dd className={styles.facts}>
          {!facts.isFolder && <span className={styles.size}>{formatSize(facts.sizeBytes)}</span>}
          <span>{formatDate(facts.modifiedMs)}</span>
          {isNewer && <span className={styles.newer}>{t('prompt.replace.newer')}</span>}
        </dd>
      </div>
    </div>
  )
}
