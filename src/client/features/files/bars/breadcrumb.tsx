import { namesOf, type Path, root } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { filesUrl, navigate } from '../../../router/router.ts'
import { FileName } from '../../../ui/file-name.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './breadcrumb.module.css'

/**
 * The number of levels that are shown. The levels above them are in a menu that opens from the button "…"
 * (specification 2).
 */
const shownLevels = 3

type BreadcrumbLevel = { readonly path: Path; readonly name: string }

/** Renders the folders from the root to the open resource as links. */
export function Breadcrumb({ path, isFolder }: { readonly path: Path; readonly isFolder: boolean }) {
  const levels = levelsOf(path)
  const hidden = levels.slice(0, -shownLevels)
  const shown = levels.slice(-shownLevels)
  return (
    <nav aria-label={t('breadcrumb.label')} className={styles.breadcrumb} data-part="breadcrumb">
      <ol className={styles.levels}>
        <li className={styles.level}>
          <Link to="/files/" className={styles.home} aria-label={t('breadcrumb.home')}>
            <Icon name="home" />
          </Link>
        </li>
        {hidden.length > 0 && (
          <li className={styles.level}>
            <Icon name="chevron-right" size={14} className={styles.between} />
            <MenuButton
              icon="more"
              label={t('breadcrumb.hidden')}
              placement="bottom start"
              className={styles.dots ?? ''}
              entries={hidden.map((level) => ({
                id: level.path,
                label: visibleName(level.name),
                icon: 'folder',
                run: () => navigate(filesUrl(level.path, true)),
              }))}
            />
          </li>
        )}
        {shown.map((level) => (
          <li key={level.path} className={styles.level}>
            <Icon name="chevron-right" size={14} className={styles.between} />
            {level.path === path ? (
              <span className={styles.here} aria-current="page">
                <FileName name={level.name} />
              </span>
            ) : (
              <Link to={filesUrl(level.path, true)} className={styles.link}>
                <FileName name={level.name} />
              </Link>
            )}
          </li>
        ))}
      </ol>
      {!isFolder && <span className="visually-hidden">{t('kind.file')}</span>}
    </nav>
  )
}

const levelsOf = (path: Path): readonly BreadcrumbLevel[] =>
  path === root
    ? []
    : namesOf(path).map((name, at, names) => ({ name, path: `/${names.slice(0, at + 1).join('/')}` as Path }))
