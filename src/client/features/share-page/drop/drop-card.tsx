import { useCallback, useEffect, useId, useRef, useState, type FormEvent, useEffectEvent } from 'react'
import { CircleAlert, CircleCheck, Upload } from 'lucide'
import type { PublicDrop } from '../../../../shared/contract/shares.ts'
import { clientLimits } from '../../../../shared/domain/limits/client-limits.ts'
import '../../../i18n/drop-texts.ts'
import { formatDate, formatSize } from '../../../i18n/format.ts'
import { t } from '../../../i18n/translate.ts'
import { isReadable, untilReachable } from '../../../operations/sending/until-reachable.ts'
import { announce } from '../../../state/announcements.ts'
import { useStore } from '../../../state/store.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Icon } from '../../../ui/icon.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { SharePath } from '../share-address.ts'
import { createDropQueue, type DroppedFile, type DropQueue } from './drop-queue.ts'
import { DroppedFiles } from './dropped-files.tsx'
import { sendFile } from './send-file.ts'
import { useFileDrop, useSendingWarning, type FileDrop } from './use-file-drop.ts'
import styles from './drop.module.css'

type DropCardProps = {
  readonly link: SharePath
  readonly drop: PublicDrop
  readonly token: string | undefined
  /** The name of the recipient that the owner has typed; empty for none. */
  readonly sender: string
}

/** Lets a guest of an upload-only link choose files, describe them and send them. It shows nothing of the folder. */
export function DropCard({ link, drop, token, sender }: DropCardProps) {
  // The queue sends files between renders, with the token of that time.
  const currentToken = useEffectEvent(() => token)
  const [queue] = useState(() => queueFor(link, drop, () => currentToken()))
  const files = useStore(queue.files)
  const [hasFolders, setHasFolders] = useState(false)
  const [guest, setGuest] = useState('')
  const [note, setNote] = useState('')
  const picker = useRef<HTMLInputElement>(null)
  const chooser = useRef<HTMLButtonElement>(null)
  const add = useCallback(
    ({ files: added, hasFolders: withFolders }: FileDrop): void => {
      queue.add(added)
      setHasFolders(withFolders)
    },
    [queue],
  )
  const isOver = useFileDrop(add)
  const chosen = files.filter(({ state }) => state === 'chosen').length
  const free = freePlaces(drop, files)
  useSendingWarning(files.some(({ state }) => ['waiting', 'sending', 'reconnecting'].includes(state)))
  useSentAnnouncement(files)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (chosen === 0) return picker.current?.click()
    // The pressed button is disabled once nothing is left to send, and would lose the focus.
    if (document.activeElement instanceof HTMLButtonElement) chooser.current?.focus({ preventScroll: true })
    queue.sendAll({ guest: guest.trim(), note: note.trim() })
  }
  return (
    <form className={styles.card} onSubmit={submit} data-part="drop">
      <h1 tabIndex={-1}>
        {drop.name === '' ? t('drop.title.unnamed') : t('drop.title', { name: visibleName(drop.name) })}
      </h1>
      <p className={styles.muted}>{t('drop.intro')}</p>
      <Terms drop={drop} recipient={sender} />
      {(free === 0 || chosen > free) && (
        <Banner kind="warning" icon={CircleAlert} isAlert>
          {t(free === 0 ? 'drop.failed.too-many-files' : 'drop.tooMany', { count: free })}
        </Banner>
      )}
      <div className={classNames(styles.zone, isOver && styles.over)}>
        <Icon icon={Upload} size={32} />
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          onChange={({ target }) => {
            add({ files: Array.from(target.files ?? []), hasFolders: false })
            // The same file can be chosen again after it was removed from the list.
            target.value = ''
          }}
        />
        <Button ref={chooser} onClick={() => picker.current?.click()}>
          {t('drop.choose')}
        </Button>
        <span className={styles.muted}>{t('drop.here')}</span>
      </div>
      {hasFolders && (
        <Banner kind="warning" icon={CircleAlert} isAlert>
          {t('drop.folders')}
        </Banner>
      )}
      <Outcome files={files} />
      {files.length > 0 && <DroppedFiles {...{ files, queue }} onEmpty={() => chooser.current?.focus()} />}
      <TextField
        label={t('drop.guest')}
        autoComplete="name"
        maxLength={clientLimits.guestNameCharacters}
        value={guest}
        onChange={({ target }) => setGuest(target.value)}
      />
      <NoteField value={note} onChange={setNote} />
      <Button kind="primary" type="submit" disabled={chosen === 0}>
        {t('drop.send', { count: chosen })}
      </Button>
    </form>
  )
}

/**
 * Returns how many more files the link accepts, without those that this page has sent or is sending. Infinity for a link
 * without a limit. Other guests may have taken places since the page was loaded, and the server then refuses the file.
 */
function freePlaces({ maxFiles, receivedFiles = 0 }: PublicDrop, files: readonly DroppedFile[]): number {
  const taken = files.filter(({ state }) => state !== 'chosen' && state !== 'failed').length
  return maxFiles === 0 ? Infinity : Math.max(0, maxFiles - receivedFiles - taken)
}

/** Creates the queue of one card. Its ids have 128 random bits; `getRandomValues` also works over plain http. */
const queueFor = (
  link: SharePath,
  { maxBytes, maxFileBytes }: PublicDrop,
  tokenNow: () => string | undefined,
): DropQueue =>
  createDropQueue({
    send: (file, watch) => sendFile({ ...file, link, token: tokenNow() }, watch),
    untilReachable,
    isReadable,
    maxFileBytes: Math.min(...[maxBytes, maxFileBytes].filter((limit) => limit > 0)),
    newId: () =>
      Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
        byte.toString(16).padStart(2, '0'),
      ).join(''),
  })

type TermsProps = { readonly drop: PublicDrop; readonly recipient: string }

/** Says who receives the files, until when the link works, and what it accepts. */
function Terms({ drop, recipient }: TermsProps) {
  const { expire, maxFiles, maxBytes, maxFileBytes, receivedFiles = 0 } = drop
  const terms = [
    recipient !== '' && t('drop.recipient', { name: visibleName(recipient) }),
    expire > 0 && t('drop.until', { date: formatDate(expire * 1000) }),
    maxFiles > 0 && t('drop.maxFiles', { count: maxFiles }),
    receivedFiles > 0 && t('drop.received', { count: receivedFiles, total: maxFiles }),
    maxBytes > 0 && t('drop.maxBytes', { size: formatSize(maxBytes) }),
    maxFileBytes > 0 && t('drop.maxFileBytes', { size: formatSize(maxFileBytes) }),
  ].filter((text) => text !== false)
  if (terms.length === 0) return null
  return (
    <ul className={styles.terms}>
      {terms.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}

type NoteFieldProps = { readonly value: string; readonly onChange: (note: string) => void }

function NoteField({ value, onChange }: NoteFieldProps) {
  const id = useId()
  return (
    <div className={styles.note}>
      <label htmlFor={id}>{t('drop.note')}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={clientLimits.guestNoteCharacters}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
    </div>
  )
}

/** Says how many files have arrived, and how large they are together, and how many were refused. */
function Outcome({ files }: { readonly files: readonly DroppedFile[] }) {
  const sent = files.filter(({ state }) => state === 'done')
  const failed = files.filter(({ state }) => state === 'failed').length
  return (
    <>
      {sent.length > 0 && (
        <Banner kind="success" icon={CircleCheck}>
          {sentText(sent)}
        </Banner>
      )}
      {failed > 0 && (
        <Banner kind="danger" icon={CircleAlert}>
          {t('drop.notSent', { count: failed })}
        </Banner>
      )}
    </>
  )
}

const sentText = (sent: readonly DroppedFile[]): string =>
  t('drop.sent', {
    count: sent.length,
    size: formatSize(sent.reduce((sum, { file }) => sum + file.size, 0)),
  })

/** Tells screen readers the result once nothing is being sent any more. */
function useSentAnnouncement(files: readonly DroppedFile[]): void {
  const isSettled = files.every(({ state }) => ['chosen', 'done', 'failed'].includes(state))
  const failed = files.filter(({ state }) => state === 'failed').length
  const sent = files.filter(({ state }) => state === 'done')
  const text = isSettled && sent.length > 0 ? sentText(sent) : ''
  useEffect(() => {
    if (text !== '') announce(text)
  }, [text])
  useEffect(() => {
    if (failed > 0) announce(t('drop.notSent', { count: failed }), 'assertive')
  }, [failed])
}
