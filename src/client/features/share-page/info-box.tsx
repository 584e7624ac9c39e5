import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { fileTypeOf } from './share-download.ts'
import { ShareFacts, type ShareFactsProps, sharedName, sharedText } from './share-facts.tsx'
import styles from './share-page.module.css'

type InfoBoxProps = ShareFactsProps & {
  /** The buttons that download and open the file. A share for viewing only has none that download. */
  readonly children: ReactNode
}

/** Renders what is shared: the name of a file, its time, its size, and its buttons. */
export const InfoBox = ({ entry, endMs, children }: InfoBoxProps) => (
  <section className={styles.info} aria-label={t('guest.info')} data-part="share-info">
    <FilePicture name={entry.name} type={fileTypeOf(entry)} isFolder={entry.isDir} size={72} />
    <h1 tabIndex={-1} className={styles.name}>
      <FileName name={sharedName(entry)} isWhole />
    </h1>
    <p className={styles.muted}>{sharedText(endMs)}</p>
    <ShareFacts entry={entry} />
    {entry.shareMode === 'view-only' && <p className={styles.muted}>{t('guest.viewOnly')}</p>}
    <div className={styles.buttons}>{children}</div>
  </section>
)
