import { t } from '../../i18n/translate.ts'
import { namesOfPlace } from '../../paths/names-of-place.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { FileName } from '../../ui/file-name.tsx'
import { FilePicture } from '../../ui/file-picture.tsx'
import { PathText } from '../../ui/direction/path-text.tsx'
import styles from './prompts.module.css'

const shownNames = 5

/**
 * Lists the names of the first selected entries and the number of the remaining entries. Results of a search that are in
 * several folders are shown with their folders.
 */
export function NamedEntries({ entries }: { readonly entries: readonly ListedEntry[] }) {
  const rest = entries.length - shownNames
  return (
    <ul className={styles.names}>
      {entries.slice(0, shownNames).map((entry) => (
        <li key={`${entry.folder}/${entry.name}`} className={styles.name}>
          <FilePicture {...entry} size={20} />
          <FileName name={entry.name} />
          {entry.folder !== undefined && (
            <span className={styles.where}>
              <PathText names={namesOfPlace(entry.folder)} />
            </span>
          )}
        </li>
      ))}
      {rest > 0 && <li className={styles.rest}>{t('prompt.delete.more', { count: rest })}</li>}
    </ul>
  )
}
