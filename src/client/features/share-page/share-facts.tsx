import type { PublicResource } from '../../../shared/contract/shares.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { FileName } from '../../ui/file-name.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import type { LinkTerms } from './link-terms.ts'
import styles from './share-page.module.css'

export type SharedEntryProps = { readonly entry: PublicResource; readonly terms: LinkTerms }

/** Renders the name of what is shared, its time, and its size or number of items. */
export function ShareFacts({ entry }: Pick<SharedEntryProps, 'entry'>) {
  const modifiedMs = Date.parse(entry.modified)
  return (
    <dl className={styles.facts}>
      <dt>{t('guest.displayName')}</dt>
      <dd>
        <FileName name={sharedName(entry)} isWhole />
      </dd>
      <dt>{t('guest.modified')}</dt>
      <dd>
        <time dateTime={entry.modified} title={formatDate(modifiedMs)}>
          {useRelativeTime(modifiedMs)}
        </time>
      </dd>
      <dt>{t('guest.size')}</dt>
      <dd>{sizeText(entry)}</dd>
    </dl>
  )
}

/** Returns from whom an entry is, where the owner has typed a name for this link. */
export const senderText = ({ sender }: Pick<LinkTerms, 'sender'>): string =>
  sender === '' ? t('guest.shared') : t('guest.sharedBy', { name: visibleName(sender) })

/** Says until when a link works, in a line of its own. Renders nothing for a link that never ends. */
export const EndOfLink = ({ endMs }: Pick<LinkTerms, 'endMs'>) =>
  endMs !== null && <p className={styles.muted}>{endText(endMs)}</p>

/** Returns the sentence that says until when a link works. */
export const endText = (endMs: number): string => t('guest.until', { date: formatDate(endMs) })

/** Returns the name of a shared entry. A whole scope has no name. */
export const sharedName = ({ name }: PublicResource): string => name || t('guest.unnamed')

/** Returns the size of a file, or the number of entries in a folder, as a text. */
export const sizeText = ({ isDir, size, numDirs = 0, numFiles = 0 }: PublicResource): string =>
  isDir ? t('guest.items', { count: numDirs + numFiles }) : formatSize(size)
