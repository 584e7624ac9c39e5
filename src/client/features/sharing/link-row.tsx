import { useState } from 'react'
import { Pencil, QrCode as QrCodeIcon, Trash2 } from 'lucide'
import type { ShareResource } from '../../../shared/contract/shares.ts'
import { sentences } from '../../i18n/joined-texts.ts'
import { t } from '../../i18n/translate.ts'
import { reasonOf } from '../../operations/reason.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { CopyLinkButton } from './copy-link-button.tsx'
import { LinkFacts } from './link-facts.tsx'
import { ReceivedFiles } from './received-files.tsx'
import type { LatestLink } from './latest-link.ts'
import { deleteLink, urlOfLink } from './share-links.ts'
import styles from './sharing.module.css'

type LinkRowProps = {
  readonly link: ShareResource
  /** This link when it was just created or left, and null otherwise. */
  readonly latest: LatestLink | null
  readonly onEdit: () => void
}

/** Gives the focus to a button. The function is always the same, so that React calls it only once. */
const takeFocus = (button: HTMLButtonElement | null): void => button?.focus()

/** Renders a link with its address, its terms and its buttons. */
export function LinkRow({ link, latest, onEdit }: LinkRowProps) {
  const [showsQr, setShowsQr] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const url = urlOfLink(link)
  const remove = (): void => {
    setFailure(null)
    deleteLink(link.hash).catch((thrown: unknown) => setFailure(reasonOf(thrown)))
  }
  return (
    <li className={styles.link}>
      <div className={styles.linkLine}>
        <CopyLinkButton
          // The list has the new link before it is known whether the link was copied.
          key={String(latest?.isCopied)}
          url={url}
          isFocused={latest?.button === 'copy'}
          wasCopied={latest?.isCopied ?? null}
        />
        <input
          readOnly
          dir="ltr"
          className={styles.url}
          value={url}
          aria-label={t('share.url')}
          onFocus={({ target }) => target.select()}
        />
      </div>
      <div className={styles.linkLine}>
        <LinkFacts link={link} />
        <span className={styles.linkButtons}>
          <IconButton
            icon={QrCodeIcon}
            label={t('share.qr')}
            aria-expanded={showsQr}
            onClick={() => setShowsQr(!showsQr)}
          />
          <IconButton
            ref={latest?.button === 'edit' ? takeFocus : null}
            icon={Pencil}
            label={t('share.editLink')}
            onClick={onEdit}
          />
          <IconButton icon={Trash2} label={t('share.deleteLink')} onClick={remove} />
        </span>
      </div>
      {showsQr && <QrCode text={url} label={t('share.qrOf', { url })} className={styles.qr} />}
      <ReceivedFiles link={link} />
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {sentences(t('share.failed.delete'), failure)}
        </p>
      )}
    </li>
  )
}
