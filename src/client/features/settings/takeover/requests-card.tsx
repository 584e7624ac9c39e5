import type { OldRequestResource } from '../../../../shared/contract/server.ts'
import { call } from '../../../api/call.ts'
import { formatDate } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { notify } from '../../../state/notices.ts'
import { Button } from '../../../ui/button.tsx'
import { CardTable } from '../../../ui/card-table/card-table.tsx'
import { SettingsCard } from '../settings-card.tsx'
import { useSave } from '../use-save.ts'
import styles from './takeover-page.module.css'

type RequestsCardProps = {
  readonly requests: readonly OldRequestResource[]
  /** Loads the list again. */
  readonly onChange: () => Promise<unknown>
}

/** Renders the requests that File Browser would have answered differently, with a button that empties the list. */
export function RequestsCard({ requests, onChange }: RequestsCardProps) {
  const { isBusy, failure, save } = useSave()
  const clear = async (): Promise<void> => {
    const isCleared = await save(() => call('takeover.clear'))
    await onChange()
    if (isCleared) notify(t('settings.takeover.cleared'))
  }
  return (
    <SettingsCard title={t('settings.takeover.requests')} hint={t('settings.takeover.requests.hint')}>
      {requests.length === 0 ? (
        <p className={styles.none}>{t('settings.takeover.requests.none')}</p>
      ) : (
        <RequestTable requests={requests} />
      )}
      <div className={styles.bar}>
        <Button icon="refresh" onClick={() => void onChange()}>
          {t('settings.takeover.refresh')}
        </Button>
        {(requests.length > 0 || isBusy) && (
          <Button isBusy={isBusy} onClick={() => void clear()}>
            {t('settings.takeover.clear')}
          </Button>
        )}
      </div>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
    </SettingsCard>
  )
}

const RequestTable = ({ requests }: Pick<RequestsCardProps, 'requests'>) => (
  <CardTable className={styles.table}>
    <thead>
      <tr>
        <th scope="col">{t('settings.takeover.client')}</th>
        <th scope="col">{t('settings.takeover.route')}</th>
        <th scope="col">{t('settings.takeover.reason')}</th>
        <th scope="col">{t('settings.takeover.count')}</th>
        <th scope="col">{t('settings.takeover.last')}</th>
      </tr>
    </thead>
    <tbody>
      {requests.map((request) => (
        <RequestRow key={`${request.reason} ${request.route} ${request.client}`} request={request} />
      ))}
    </tbody>
  </CardTable>
)

function RequestRow({ request }: { readonly request: OldRequestResource }) {
  const { client, route, reason, count, first, last } = request
  const since = t('settings.takeover.since', { date: formatDate(Date.parse(first)) })
  return (
    <tr>
      <th scope="row">
        {client === '' ? t('settings.takeover.unknownClient') : <bdi dir="ltr">{client}</bdi>}
      </th>
      <td className={styles.route}>
        <code dir="ltr" className={styles.code}>
          {route}
        </code>
      </td>
      <td className={styles.reason}>{t(`settings.takeover.reason.${reason}`)}</td>
      <td className={styles.count} title={since}>
        {t('settings.takeover.times', { count })}
      </td>
      <td className={styles.last}>
        <time dateTime={last} title={since}>
          {formatDate(Date.parse(last))}
        </time>
      </td>
    </tr>
  )
}
