import type { ReactNode } from 'react'
import type { PublicResource } from '../../../shared/contract/shares.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { fileTypeOf } from './share-download.ts'
import styles from './share-page.module.css'

type InfoBoxProps = {
  readonly entry: PublicResource
  /** The time at which the link ends, in ms since 1970. Null for a link that never ends. */
  readonly endMs: number | null
  /** The buttons that download and open the entry. A share for viewing only has none that download. */
  readonly children: ReactNode
}

/** Renders what is shared: its name, its time, its size or number of items, and its buttons. */
export function InfoBox({ entry, endMs, children }: InfoBoxProps) {
  const modifiedMs = Date.parse(entry.modified)
  const name = entry.name === '' ? t('guest.unnamed') : entry.name
  return (
    <section className={styles.info} aria-label={t('guest.info')} data-part="share-info">
      <FilePicture name={entry.name} type={fileTypeOf(entry)} isFolder={entry.isDir} size={72} />
      <h1 tabIndex={-1} className={styles.name}>
        <FileName name={name} isWhole />
      </h1>
      <p className={styles.muted}>
        {endMs === null ? t('guest.shared') : t('guest.sharedUntil', { date: formatDate(endMs) })}
      </p>
      <dl className={styles.facts}>
        <dt>{t('guest.displayName')}</dt>
        <dd>
          <FileName name={name} isWhole />
        </dd>
        <dt>{t('guest.modified')}</dt>
        <dd>
          <time dateTime={entry.modified} title={formatDate(modifiedMs)}>
            {useRelativeTime(modifiedMs)}
          </time>
        </dd>
        <dt>{t('guest.size')}</dt>
        <dd>
          {entry.isDir
            ? t('guest.items', { count: (entry.numDirs ?? 0) + (entry.numFiles ?? 0) })
            : formatSize(entry.size)}
        </dd>
      </dl>
      {entry.shareMode === 'view-only' && <p className={styles.muted}>{t('guest.viewOnly')}</p>}
      <div className={styles.buttons}>{children}</div>
    </section>
  )
}
