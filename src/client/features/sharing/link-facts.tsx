import { Clock, Download, Eye, Hourglass, Lock, Upload } from 'lucide'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { formatDate, useRelativeTime } from '../../i18n/format.ts'
import { formatNumber } from '../../i18n/later-formats.ts'
import { listText } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { Icon } from '../../ui/icon.tsx'
import { isAhead } from './link-terms.ts'
import styles from './sharing.module.css'

/** Says when a link ends, whether guests may only view or only upload, whether it has a password, and from when it works if that is in the future. */
export const LinkFacts = ({ link }: { readonly link: ShareResource }) => (
  <span className={styles.facts}>
    <LinkEnd expireSeconds={link.expire} />
    {link.isAwaited === true && (
      <span className={styles.awaited}>
        <Icon icon={Hourglass} size={14} /> {t('share.awaited')}
      </span>
    )}
    {link.mode === 'view-only' && (
      <span className={styles.fact}>
        <Icon icon={Eye} size={14} /> {t('share.mode.view-only')}
      </span>
    )}
    {link.drop !== undefined && (
      <span className={styles.fact}>
        <Icon icon={Upload} size={14} />{' '}
        {listText([t('share.mode.upload-only'), t('share.received', { count: link.drop.receivedFiles })])}
      </span>
    )}
    {link.maxDownloads !== undefined && (
      <span className={styles.fact}>
        <Icon icon={Download} size={14} />{' '}
        {t('share.downloadsOf', { count: link.downloads ?? 0, max: formatNumber(link.maxDownloads, 0) })}
      </span>
    )}
    {link.hasPassword && (
      <span className={styles.fact}>
        <Icon icon={Lock} size={14} /> {t('share.hasPassword')}
      </span>
    )}
    {isAhead(link.availableFrom * 1000) && (
      <span className={styles.fact}>
        <Icon icon={Clock} size={14} />{' '}
        {t('share.availableFrom', { date: formatDate(link.availableFrom * 1000) })}
      </span>
    )}
    {(link.drop?.newFiles ?? 0) > 0 && (
      <strong className={styles.newFiles}>{t('share.newFiles', { count: link.drop?.newFiles ?? 0 })}</strong>
    )}
    <LinkUse link={link} />
  </span>
)

/** Says how often guests have opened the link, and how often they have downloaded through it. */
function LinkUse({ link: { visits = 0, downloads = 0, maxDownloads } }: { readonly link: ShareResource }) {
  const text = listText([
    visits > 0 && t('share.visits', { count: visits }),
    downloads > 0 && maxDownloads === undefined && t('share.downloads', { count: downloads }),
  ])
  return text !== '' && <span>{text}</span>
}

/** Renders the time at which a link ends, relative to now. 0 stands for a permanent link (specification 2). */
export function LinkEnd({ expireSeconds }: { readonly expireSeconds: number }) {
  const relative = useRelativeTime(expireSeconds * 1000)
  if (expireSeconds === 0) return <span>{t('share.permanent')}</span>
  return (
    <time dateTime={new Date(expireSeconds * 1000).toISOString()} title={formatDate(expireSeconds * 1000)}>
      {isAhead(expireSeconds * 1000) ? t('share.ends', { time: relative }) : t('share.ended')}
    </time>
  )
}
