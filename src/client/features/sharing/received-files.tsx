import { useEffect, useState } from 'react'
import { useQuery } from '../../api/use-query.ts'
import type { ReceivedFileResource, ShareResource } from '../../../shared/contract/shares.ts'
import { formatDate, formatSize, useRelativeTime } from '../../i18n/format.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { useUser } from '../../state/session.ts'
import { FileName } from '../../ui/file-name.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ArrivingFiles } from './arriving-files.tsx'
import { changeLink, receivedFilesQuery } from './share-links.ts'
import styles from './sharing.module.css'

/**
 * Lists what guests have sent through an upload-only link and what they are sending, once the list is opened. Renders
 * nothing for links without such files.
 */
export function ReceivedFiles({ link }: { readonly link: ShareResource }) {
  const [isOpen, setOpen] = useState(false)
  const { receivedFiles: count = 0, runningFiles: arriving = 0 } = link.drop ?? {}
  if (count === 0 && arriving === 0) return null
  return (
    <details className={styles.received} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {t('share.receivedFiles', { count })}
        {arriving > 0 && !isOpen && (
          <span className={styles.muted}> {t('share.arriving', { count: arriving })}</span>
        )}
      </summary>
      {isOpen && <ReceivedList link={link} />}
    </details>
  )
}

function ReceivedList({ link }: { readonly link: ShareResource }) {
  const { hash } = link
  const { data, error } = useQuery(receivedFilesQuery(hash))
  useSeenFiles(link, data?.total ?? 0)
  if (error !== null)
    return (
      <p role="alert" className={styles.failure}>
        {sentences(t('share.failed.received'), reasonOf(error))}
      </p>
    )
  if (data === undefined) return <Spinner />
  const { files, total, running } = data
  if (files.length === 0 && running.length === 0)
    return <p className={styles.muted}>{t('share.noneReceived')}</p>
  return (
    <>
      {running.length > 0 && <ArrivingFiles hash={hash} files={running} />}
      {files.length > 0 && (
        <ul className={styles.receivedList}>
          {files.map((file, at) => (
            <ReceivedRow key={`${file.receivedMs} ${file.name} ${at}`} file={file} />
          ))}
        </ul>
      )}
      {total > files.length && (
        <p className={styles.muted}>{t('share.receivedLatest', { count: files.length })}</p>
      )}
    </>
  )
}

/** Tells the server that the owner of a link has looked at its received files, so that they are not new any more. */
function useSeenFiles({ hash, userID, drop }: ShareResource, total: number): void {
  const isOwn = useUser()?.id === userID
  const hasNew = (drop?.newFiles ?? 0) > 0
  useEffect(() => {
    // When the request fails, the files stay new, and the next look at the list tries again.
    if (isOwn && hasNew && total > 0) changeLink(hash, { seenFiles: total }).catch(() => undefined)
  }, [hash, isOwn, hasNew, total])
}

const ReceivedRow = ({
  file: { name, guest, note, size, receivedMs },
}: {
  readonly file: ReceivedFileResource
}) => (
  <li>
    <FileName name={name} isWhole />
    <span className={styles.facts}>
      <span>{formatSize(size)}</span>
      <time dateTime={new Date(receivedMs).toISOString()} title={formatDate(receivedMs)}>
        {useRelativeTime(receivedMs)}
      </time>
      {guest !== '' && <bdi>{t('share.receivedFrom', { guest })}</bdi>}
    </span>
    {note !== '' && (
      <p className={styles.receivedNote} dir="auto">
        {note}
      </p>
    )}
  </li>
)
