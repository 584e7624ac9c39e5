import type { ReactNode } from 'react'
import { t } from '../../i18n/translate.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { fileTypeOf, useDownloadBlock } from './share-download.ts'
import { EndOfLink, senderText, type SharedEntryProps, sharedName, sizeText } from './share-facts.tsx'
import { ShareMenu } from './share-menu.tsx'
import styles from './share-page.module.css'

type ShareHeadingProps = SharedEntryProps & {
  /** The rarer actions, which are in the menu "More". */
  readonly entries: readonly MenuEntry[]
  /** The button that downloads the entry. A share for viewing only has none. */
  readonly children: ReactNode
}

/** Renders the name of what is shared, from whom and until when, and its download. Other facts and the QR code are in the menu. */
export function ShareHeading({ entry, terms, entries, children }: ShareHeadingProps) {
  const block = useDownloadBlock()
  const note = entry.shareMode === 'view-only' ? t('guest.viewOnly') : block
  return (
    <header className={styles.heading} data-part="share-heading">
      <FilePicture name={entry.name} type={fileTypeOf(entry)} isFolder={entry.isDir} size={40} />
      <div className={styles.headingText}>
        <h1 tabIndex={-1} className={styles.headingName}>
          <FileName name={sharedName(entry)} isWhole />
        </h1>
        {/* Where the line breaks, the dot stays at the end of the fact before it. */}
        <p className={styles.muted}>
          <span className={styles.fact}>{`${senderText(terms)}\u00A0·`}</span>{' '}
          <span className={styles.fact}>{sizeText(entry)}</span>
        </p>
        <EndOfLink {...terms} />
        {note !== undefined && <p className={styles.muted}>{note}</p>}
      </div>
      <div className={styles.buttons}>
        {children}
        <ShareMenu entry={entry} terms={terms} entries={entries} />
      </div>
    </header>
  )
}
