import { useRef, useState } from 'react'
import { ChevronDown, ChevronRight, House } from 'lucide'
import { pathOfNames, namesOf, type Path, root } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { filesUrl } from '../../../router/router.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon, directed } from '../../../ui/icon.tsx'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import { visibleName } from '../../../ui/visible-name.ts'
import { CrumbMenu } from './crumb-menu.tsx'
import styles from './breadcrumb.module.css'
import { filesAfterRows } from '../parts/load-after-rows.ts'

/**
 * The number of levels that are shown. The levels above them are in a menu that opens from the button "…"
 * (specification 2). Phones have room for the folder and its parent.
 */
const shownLevels = 3
const shownLevelsOnPhones = 2

type BreadcrumbLevel = { readonly path: Path; readonly name: string }

const PathField = filesAfterRows.part((module) => module.PathField)

/**
 * Renders the folders from the root to the open resource as links. A click beside the links turns them into a field for
 * the path, and so does the menu behind the links, which copies the path as well.
 */
export function Breadcrumb({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) {
  const [isEditing, setEditing] = useState(false)
  const isPhone = useMedia(mobileQuery)
  const editButton = useRef<HTMLButtonElement>(null)
  const stopEditing = ({ keepsFocus }: { readonly keepsFocus: boolean }): void => {
    setEditing(false)
    if (keepsFocus) requestAnimationFrame(() => editButton.current?.focus())
  }
  return (
    <nav aria-label={t('breadcrumb.label')} className={styles.breadcrumb} data-part="breadcrumb">
      {isEditing ? (
        <PathField path={path} isFolder={isFolder} onClose={stopEditing} />
      ) : (
        <>
          <Levels path={path} isPhone={isPhone} />
          {!isFolder && <span className="visually-hidden">{t('kind.file')}</span>}
          <CrumbMenu
            label={t('path.label')}
            className={styles.siblings}
            source={{ kind: 'path', path, edit: () => setEditing(true) }}
          >
            <Icon icon={ChevronDown} size={14} />
          </CrumbMenu>
          <button
            type="button"
            ref={editButton}
            className={styles.rest}
            aria-label={t('breadcrumb.edit')}
            title={t('breadcrumb.edit')}
            onClick={() => setEditing(true)}
          />
        </>
      )}
    </nav>
  )
}

function Levels({ path, isPhone }: { readonly path: Path; readonly isPhone: boolean }) {
  const levels = levelsOf(path)
  const shownCount = isPhone ? shownLevelsOnPhones : shownLevels
  const hidden = levels.slice(0, -shownCount)
  return (
    <ol className={styles.levels}>
      <li className={styles.fixed}>
        <Link
          to="/files/"
          className={styles.home}
          aria-label={t('sidebar.myFiles')}
          aria-current={path === root ? 'page' : undefined}
          data-drop-folder={root}
        >
          <Icon icon={House} />
          {path === root && <span>{t('sidebar.myFiles')}</span>}
        </Link>
      </li>
      {hidden.length > 0 && (
        <li className={styles.fixed}>
          <Icon icon={directed(ChevronRight)} size={14} className={styles.between} />
          <CrumbMenu
            label={t('breadcrumb.hidden')}
            className={styles.dots}
            source={{ kind: 'levels', folders: hidden.map((level) => level.path) }}
          >
            …
          </CrumbMenu>
        </li>
      )}
      {levels.slice(-shownCount).map((level) => (
        <li key={level.path} className={styles.level}>
          {isPhone ? (
            <Icon icon={directed(ChevronRight)} size={14} className={styles.between} />
          ) : (
            <CrumbMenu
              label={t('breadcrumb.beside', { name: visibleName(level.name) })}
              className={styles.siblings}
              source={{ kind: 'siblings', folder: level.path }}
            >
              <Icon icon={directed(ChevronRight)} size={14} />
            </CrumbMenu>
          )}
          <LevelName level={level} isLast={level.path === path} />
        </li>
      ))}
    </ol>
  )
}

function LevelName({ level, isLast }: { readonly level: BreadcrumbLevel; readonly isLast: boolean }) {
  if (isLast) {
    return (
      <span className={styles.here} aria-current="page">
        <FileName name={level.name} />
      </span>
    )
  }
  return (
    <Link to={filesUrl(level.path, true)} className={styles.link} data-drop-folder={level.path}>
      <FileName name={level.name} />
    </Link>
  )
}

const levelsOf = (path: Path): readonly BreadcrumbLevel[] =>
  namesOf(path).map((name, at, names) => ({ name, path: pathOfNames(names.slice(0, at + 1)) }))
