import { ChevronRight } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { Icon, directed } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { ViewedFile } from '../viewer.ts'
import styles from './archive.module.css'

type ArchiveCrumbsProps = {
  readonly archive: Pick<ViewedFile, 'name' | 'type'>
  /** The path of the open folder or file in the archive. */
  readonly path: string
  readonly onOpen: (folder: string) => void
}

/**
 * Renders a breadcrumb from the archive to the open folder or file in it. The name of the archive is above the viewer, so
 * the breadcrumb shows only the icon of the archive, and is empty at the top level.
 */
export function ArchiveCrumbs({ archive, path, onOpen }: ArchiveCrumbsProps) {
  if (path === '') return null
  const names = path.split('/')
  const levels = names.map((name, index) => ({ path: names.slice(0, index + 1).join('/'), name }))
  return (
    <nav className={styles.crumbs} aria-label={t('viewer.archive.path')}>
      <ol>
        <li>
          <button
            type="button"
            className={styles.crumb}
            aria-label={visibleName(archive.name)}
            title={visibleName(archive.name)}
            onClick={() => onOpen('')}
          >
            <FilePicture name={archive.name} type={archive.type} isFolder={false} />
          </button>
        </li>
        {levels.map((level, index) => (
          <li key={level.path}>
            <Icon icon={directed(ChevronRight)} size={16} />
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
