import { Fragment } from 'react'
import type { PublicResource } from '../../../shared/contract/shares.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { FileName } from '../../ui/file-name.tsx'
import styles from './share-page.module.css'

export type ShareFactsProps = {
  readonly entry: PublicResource
  /** The time at which the link ends, in ms since 1970. Null for a link that never ends. */
  readonly endMs: number | null
}

/** Renders the name of what is shared, its time, and its size or number of items. */
export function ShareFacts({ entry }: Pick<ShareFactsProps, 'entry'>) {
  const modifiedMs = Date.parse(entry.modified)
  return (
    <dl className={styles.facts}>
      <dt>{t('guest.displayName')}</dt>
      <dd>
        <FileName name={sharedName(entry)} isWhole />
      </dd>
      <dt>{t('guest.modified')}</dt>
      <dd>
        <time dateTime={entry.modified} title={formatDate(modifiedMs)}>
          {useRelativeTime(modifiedMs)}
        </time>
      </dd>
      <dt>{t('guest.size')}</dt>
      <dd>{entry.isDir ? itemsText(entry) : formatSize(entry.size)}</dd>
    </dl>
  )
}

/** Renders facts in a line. Where the line breaks, a dot stays at the end of the fact before it. */
export const FactLine = ({ facts }: { readonly facts: readonly string[] }) => (
  <p className={styles.muted}>
    {facts.map((fact, index) => (
      <Fragment key={fact}>
        {index > 0 && ' '}
        <span className={styles.fact}>{index < facts.length - 1 ? `${fact}\u00A0·` : fact}</span>
      </Fragment>
    ))}
  </p>
)

/** Returns the name of a shared entry. A whole scope has no name. */
export const sharedName = ({ name }: PublicResource): string => name || t('guest.unnamed')

/** Returns the number of entries in a folder as a text. */
export const itemsText = ({ numDirs = 0, numFiles = 0 }: PublicResource): string =>
  t('guest.items', { count: numDirs + numFiles })

/** Returns until when something is shared. */
export const sharedText = (endMs: number | null): string =>
  endMs === null ? t('guest.shared') : t('guest.sharedUntil', { date: formatDate(endMs) })
