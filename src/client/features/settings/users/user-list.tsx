import { useState } from 'react'
import { Check, Pencil, Plus, X } from 'lucide'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { navigate } from '../../../router/router.ts'
import { Button } from '../../../ui/button.tsx'
import { CardTable } from '../../../ui/card-table/card-table.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import { SettingsCard } from '../settings-card.tsx'
import { usersQuery } from '../users-query.ts'
import { rightsText } from './rights-text.ts'
import styles from './users-page.module.css'

/** The number of users above which the list has a field that filters it. Fewer users fit on one screen. */
const maxWithoutFilter = 10

/**
 * Renders all users with their name, whether they are administrators (specification 2), and what they may do where. On narrow screens,
 * each user is a card, which names its lines in words because it has no visible headings.
 */
export function UserList() {
  const { data: users } = useSuspenseQuery(usersQuery)
  const [filter, setFilter] = useState('')
  const wanted = filter.toLocaleLowerCase()
  const shown = users.filter(({ username, scope }) =>
    `${username}\n${scope}`.toLocaleLowerCase().includes(wanted),
  )
  return (
    <SettingsCard title={t('settings.users')} className={styles.list} isPageTitle>
      <div className={styles.bar}>
        {users.length > maxWithoutFilter && (
          <TextField
            label={t('settings.users.filter')}
            isLabelHidden
            placeholder={t('settings.users.filter')}
            type="search"
            value={filter}
            onChange={({ target }) => setFilter(target.value)}
          />
        )}
        <Button kind="primary" icon={Plus} onClick={() => navigate('/settings/users/new')}>
          {t('settings.users.new')}
        </Button>
      </div>
      <CardTable className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('settings.users.username')}</th>
            <th scope="col">{t('settings.users.admin')}</th>
            <th scope="col">{t('settings.scope')}</th>
            <th scope="col">{t('settings.users.rights')}</th>
            <th scope="col">{t('settings.users.quota')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('settings.users.editColumn')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ id, username, scope, perm, quotaBytes, isDisabled }) => (
            <tr key={id}>
              <th scope="row">
                <bdi>{visibleName(username)}</bdi>{' '}
                {isDisabled && <span className={styles.disabled}>{t('settings.users.disabled')}</span>}
              </th>
              <td className={styles.admin} data-admin={perm.admin}>
                <span className={styles.adminMark}>
                  <Icon icon={perm.admin ? Check : X} size={16} />
                  <span className="visually-hidden">
                    {t(perm.admin ? 'settings.users.yes' : 'settings.users.no')}
                  </span>
                </span>
                {perm.admin && <span className={styles.cardWord}>{t('settings.perm.admin')}</span>}
              </td>
              <td className={styles.scope}>
                <span className={styles.cardWord}>{t('settings.scope')} </span>
                <bdi dir="ltr">{visibleName(scope)}</bdi>
              </td>
              <td className={styles.scope}>
                <span className={styles.cardWord}>{t('settings.users.rights')} </span>
                {rightsText(perm)}
              </td>
              <td className={styles.scope}>
                <span className={styles.cardWord}>{t('settings.users.quota')} </span>
                {quotaBytes === null ? t('settings.users.noQuota') : formatSize(quotaBytes)}
              </td>
              <td className={styles.edit}>
                <Link
                  to={`/settings/users/${id}`}
                  className={styles.link}
                  aria-label={t('settings.users.edit', { name: username })}
                >
                  <Icon icon={Pencil} />
                </Link>
              </td>
            </tr>
          ))}
        </tbody>
      </CardTable>
      {shown.length === 0 && <p>{t('settings.users.noMatch')}</p>}
    </SettingsCard>
  )
}
