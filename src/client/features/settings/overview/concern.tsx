import { TriangleAlert } from 'lucide'
import { Fragment } from 'react'
import type { ConcernKind, Overview } from '../../../../shared/contract/overview.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import type { SettingsPageName } from '../../../state/screens/settings-pages.ts'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './overview-page.module.css'

/** The page on which an administrator attends to a state. `not-encrypted` is known to the browser alone. */
const pageOf: Readonly<Record<ConcernKind | 'not-encrypted', SettingsPageName>> = {
  'not-encrypted': 'doctor',
  'disk-full': 'users',
  'missing-folder': 'users',
  'quota-full': 'users',
  'whole-server': 'users',
  'open-signup': 'global',
  'short-passwords': 'global',
  'no-audit-log': 'global',
}

type ConcernProps = Omit<Overview['concerns'][number], 'kind'> & { readonly kind: keyof typeof pageOf }

/** Renders a state of the server that needs attention: what it is, whom it is about, and where it is changed. */
export function Concern({ kind, users, otherUsers }: ConcernProps) {
  const page = pageOf[kind]
  return (
    <li className={styles.concern}>
      <Icon icon={TriangleAlert} size={16} />
      <div>
        <p>{t(`settings.server.${kind}`)}</p>
        <p className={styles.places}>
          {users.map(({ id, username }) => (
            <Fragment key={id}>
              <Link to={`/settings/users/${id}`}>
                <bdi>{visibleName(username)}</bdi>
              </Link>{' '}
            </Fragment>
          ))}
          {otherUsers > 0 && <span>{t('settings.rules.test.others', { count: otherUsers })} </span>}
          <Link to={`/settings/${page}`}>{t(`settings.tab.${page}`)}</Link>
        </p>
      </div>
    </li>
  )
}
