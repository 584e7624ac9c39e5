import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './archive.module.css'

type ArchiveCrumbsProps = {
  /** The name of the archive. */
  readonly archive: string
  /** The path of the open folder or file in the archive. */
  readonly path: string
  readonly onOpen: (folder: string) => void
}

/** Shows the way from the archive to the open folder or file in it. */
export function ArchiveCrumbs({ archive, path, onOpen }: ArchiveCrumbsProps) {
  const names = path === '' ? [] : path.split('/')
  const levels = [
    { path: '', name: archive },
    ...names.map((name, index) => ({ path: names.slice(0, index + 1).join('/'), name })),
  ]
  return (
    <nav className={styles.crumbs} aria-label={t('viewer.archive.path')}>
      <ol>
        {levels.map((level, index) => (
          <li key={level.path}>
            {index > 0 && <Icon name="chevron-right" size={16} />}
            {index === levels.length - 1 ? (
              <span aria-current="location">
                <FileName name={level.name} />
              </span>
            ) : (
              <button type="button" className={styles.crumb} onClick={() => onOpen(level.path)}>
                <FileName name={level.name} />
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
