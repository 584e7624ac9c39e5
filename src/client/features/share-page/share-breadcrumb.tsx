import { ChevronRight, House } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { Link } from '../../router/link.tsx'
import { FileName } from '../../ui/file-name.tsx'
import { Icon, directed } from '../../ui/icon.tsx'
import { visibleName } from '../../ui/visible-name.ts'
import { shareLevelsOf, shareRootOf, type SharePath, shareUrl } from './share-address.ts'
import styles from './share-page.module.css'

/** Renders the path from the shared folder to an entry, with at most three levels. */
export function ShareBreadcrumb({ path }: { readonly path: SharePath }) {
  const levels = shareLevelsOf(path)
  return (
    <nav aria-label={t('guest.breadcrumb')} className={styles.breadcrumb}>
      <ol>
        <li>
          <Link to={shareUrl(shareRootOf(path), true)} className={styles.crumb} aria-label={t('guest.home')}>
            <Icon icon={House} />
          </Link>
        </li>
        {levels.map(({ path: at, name, isEllipsis }, index) => (
          <li key={at}>
            <Icon icon={directed(ChevronRight)} size={16} />
            {index === levels.length - 1 ? (
              <span className={styles.crumb} aria-current="page">
                <FileName name={name} />
              </span>
            ) : (
              <Link
                to={shareUrl(at, true)}
                className={styles.crumb}
                {...(isEllipsis && { 'aria-label': t('guest.hiddenLevel', { name: visibleName(name) }) })}
              >
                {isEllipsis ? '...' : <FileName name={name} />}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
