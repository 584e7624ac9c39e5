import { useState } from 'react'
import { X } from 'lucide'
import type { RunningReceptionResource } from '../../../shared/contract/shares.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { FileName } from '../../ui/file-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { endReception } from './share-links.ts'
import styles from './sharing.module.css'

type ArrivingFilesProps = { readonly hash: string; readonly files: readonly RunningReceptionResource[] }

/** Lists the files that guests are sending at the moment, each with a button that ends it. */
export const ArrivingFiles = ({ hash, files }: ArrivingFilesProps) => (
  <ul className={styles.receivedList} aria-label={t('share.arrivingFiles')}>
    {files.map((file) => (
      <ArrivingFile key={file.id} hash={hash} file={file} />
    ))}
  </ul>
)

type ArrivingFileProps = { readonly hash: string; readonly file: RunningReceptionResource }

function ArrivingFile({ hash, file: { id, name, guest, size, received, startedMs } }: ArrivingFileProps) {
  const [isEnding, setEnding] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const end = (): void => {
    setFailure(null)
    setEnding(true)
    endReception(hash, id)
      .catch((thrown: unknown) => setFailure(reasonOf(thrown)))
      .finally(() => setEnding(false))
  }
  const progress = t('share.arrivedBytes', { received: formatSize(received), size: formatSize(size) })
  return (
    <li>
      <div className={styles.arriving}>
        <FileName name={name} isWhole />
        <IconButton icon={X} label={t('share.endUpload', { name })} isBusy={isEnding} onClick={end} />
      </div>
      <ProgressBar
        label={progress}
        fraction={size === 0 ? null : received / size}
        className={styles.arrivalBar ?? ''}
      />
      <span className={styles.facts}>
        <span className="numbers">{progress}</span>
        <time dateTime={new Date(startedMs).toISOString()} title={formatDate(startedMs)}>
          {t('share.arrivingSince', { time: useRelativeTime(startedMs) })}
        </time>
        {guest !== '' && <bdi>{t('share.receivedFrom', { guest })}</bdi>}
      </span>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {sentences(t('share.failed.endUpload'), failure)}
        </p>
      )}
    </li>
  )
}
