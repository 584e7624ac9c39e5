import type { AuditEventResource } from '../../../../shared/contract/audit.ts'
import { formatDate, useRelativeTime } from '../../../i18n/format.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { PathLink } from '../../../paths/path-link.tsx'
import { CardTable } from '../../../ui/card-table/card-table.tsx'
import { PathText } from '../../../ui/direction/path-text.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './audit-page.module.css'
import { actorText, detailsText, namesInLog, outcomeText, pathInScope } from './event-texts.ts'

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

/**
 * Renders the entry or user of an event, with the destination of a move and further facts. No link leads to deleted entries or
 * to the former place of a moved entry.
 */
function Subject({ event, scope }: { readonly event: AuditEventResource; readonly scope: string }) {
  const { action, target, destination } = event
  const isGone = action === 'delete' || action === 'move'
  const details = detailsText(event)
  const from = <Place text={target} scope={isGone ? null : scope} />
  return (
    <>
      {destination === '' ? (
        from
      ) : (
        <RichText
          id="settings.audit.fromTo"
          values={{ from, to: <Place text={destination} scope={scope} /> }}
        />
      )}
      {details !== '' && (
        <span className={styles.details}>
          <bdi>{details}</bdi>
        </span>
      )}
    </>
  )
}

/** Renders a path of the log, as a link where it is in the folder of the administrator, or another text. */
function Place({ text, scope }: { readonly text: string; readonly scope: string | null }) {
  const names = namesInLog(text)
  if (names === null) return text !== '' && <bdi>{visibleName(text)}</bdi>
  const path = scope === null ? null : pathInScope(text, scope)
  if (path === null) return <PathText names={names} />
  return <PathLink path={path} isFolder={false} names={names} />
}
