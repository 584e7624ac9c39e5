import { TriangleAlert } from 'lucide'
import { Fragment } from 'react'
import type { Advisory, ConcernKind, Overview } from '../../../../shared/contract/overview.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import type { SettingsPageName } from '../../../state/screens/settings-pages.ts'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './overview-page.module.css'

/**
 * The page on which an administrator attends to a state. Null for a state that is not changed in the settings. `not-encrypted` is
 * known to the browser alone.
 */
const pageOf: Readonly<Record<ConcernKind | 'not-encrypted', SettingsPageName | null>> = {
  'known-vulnerability': null,
  'advisories-unread': null,
  'not-encrypted': 'doctor',
  'disk-full': 'users',
  'missing-folder': 'users',
  'quota-full': 'users',
  'whole-server': 'users',
  'open-signup': 'global',
  'short-passwords': 'global',
  'no-audit-log': 'global',
}

type ConcernProps = Omit<Overview['concerns'][number], 'kind'> & {
  readonly kind: keyof typeof pageOf
  /** The advisories that it is about. */
  readonly advisories?: readonly Advisory[]
}

/** Renders a state of the server that needs attention: what it is, whom or what it is about, and where it is changed. */
export function Concern({ kind, users, otherUsers, advisories = [] }: ConcernProps) {
  const page = pageOf[kind]
  return (
    <li className={styles.concern}>
      <Icon icon={TriangleAlert} size={16} />
      <div>
        <p>{t(`settings.server.${kind}`)}</p>
        {advisories.length > 0 && (
          <ul className={styles.advisories}>
            {advisories.map((advisory) => (
              <AdvisoryLine key={advisory.id} {...advisory} />
            ))}
          </ul>
        )}
        <p className={styles.places}>
          {users.map(({ id, username }) => (
            <Fragment key={id}>
              <Link to={`/settings/users/${id}`}>
                <bdi>{visibleName(username)}</bdi>
              </Link>{' '}
            </Fragment>
          ))}
          {otherUsers > 0 && <span>{t('settings.rules.test.others', { count: otherUsers })} </span>}
          {page !== null && <Link to={`/settings/${page}`}>{t(`settings.tab.${page}`)}</Link>}
        </p>
      </div>
    </li>
  )
}

/** Renders the name of an advisory, which leads to its page, and its summary, which is in English. */
const AdvisoryLine = ({ id, summary, url }: Advisory) => (
  <li dir="ltr">
    {url === null ? (
      id
    ) : (
      <a href={url} target="_blank" rel="noopener noreferrer">
        {id}
      </a>
    )}{' '}
    <span lang="en">{summary}</span>
  </li>
)
