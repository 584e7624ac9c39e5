import type { AuditEventResource } from '../../../../shared/contract/audit.ts'
import { formatDate, useRelativeTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { CardTable } from '../../../ui/card-table/card-table.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './audit-page.module.css'
import { actorText, detailsText, entryAddressOf, outcomeText } from './event-texts.ts'

type AuditTableProps = {
  readonly events: readonly AuditEventResource[]
  /** The folder of the administrator, whose entries have links. */
  readonly scope: string
}

/** Renders events in a table, whose rows are stacks of lines on narrow screens. */
export const AuditTable = ({ events, scope }: AuditTableProps) => (
  <CardTable className={styles.table}>
    <thead>
      <tr>
        <th scope="col">{t('settings.audit.time')}</th>
        <th scope="col">{t('settings.audit.who')}</th>
        <th scope="col">{t('settings.audit.action')}</th>
        <th scope="col">{t('settings.audit.what')}</th>
        <th scope="col">{t('settings.audit.address')}</th>
        <th scope="col">{t('settings.audit.outcome')}</th>
      </tr>
    </thead>
    <tbody>
      {events.map((event) => (
        <AuditRow key={event.id} event={event} scope={scope} />
      ))}
    </tbody>
  </CardTable>
)

function AuditRow({ event, scope }: { readonly event: AuditEventResource; readonly scope: string }) {
  const { time, action, address, outcome } = event
  const timeMs = Date.parse(time)
  return (
    <tr>
      <td className={styles.time}>
        <time dateTime={time} title={useRelativeTime(timeMs)}>
          {formatDate(timeMs)}
        </time>
      </td>
      <td className={styles.who}>
        <bdi>{actorText(event)}</bdi>
      </td>
      <td className={styles.action}>{t(`settings.audit.action.${action}`)}</td>
      <td className={styles.what}>
        <Subject event={event} scope={scope} />
      </td>
      <td className={styles.address}>
        <bdi dir="ltr">{address}</bdi>
      </td>
      <td className={styles.outcome} data-failed={outcome !== 'ok' || undefined}>
        {outcomeText(event)}
      </td>
    </tr>
  )
}

/** Renders the entry or user of an event, with the destination of a move and further facts. */
function Subject({ event, scope }: { readonly event: AuditEventResource; readonly scope: string }) {
  const { target, destination } = event
  const text =
    destination === ''
      ? visibleName(target)
      : t('settings.audit.fromTo', { from: visibleName(target), to: visibleName(destination) })
  const to = entryAddressOf(event, scope)
  const details = detailsText(event)
  return (
    <>
      {to !== null && (
        <Link to={to}>
          <bdi>{text}</bdi>
        </Link>
      )}
      {to === null && text !== '' && <bdi>{text}</bdi>}
      {details !== '' && (
        <span className={styles.details}>
          <bdi>{details}</bdi>
        </span>
      )}
    </>
  )
}
