import { type ReactNode, useEffect, useRef } from 'react'
import { ChevronLeft, ChevronRight, ExternalLink, X } from 'lucide'
import type { PublicResource } from '../../../shared/contract/shares.ts'
import { formatDate, formatSize } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { childOf, parentOf } from '../../../shared/domain/path.ts'
import type { ListingOrder } from '../../../shared/domain/sorting.ts'
import { navigate } from '../../router/router.ts'
import { useStore } from '../../state/store.ts'
import { FileName } from '../../ui/file-name.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { DownloadLink } from './download-link.tsx'
import { entrySorter } from './entry-sorter.ts'
import { InfoBox } from './info-box.tsx'
import { LinkCode } from './link-code.tsx'
import { useOpenFile } from './use-open-file.ts'
import { shareInlineHref } from './share-download.ts'
import { isShareRoot, type SharePath, shareUrl } from './share-address.ts'
import { FactLine } from './share-facts.tsx'
import { useFileStepKeys } from './use-file-step-keys.ts'
import styles from './share-page.module.css'
import { lazyPart } from '../../state/parts/lazy-part.ts'
import { directed } from '../../ui/icon.tsx'

const Preview = lazyPart(async () => (await import('./shared-preview.tsx')).SharedPreview)

type SharedFileProps = {
  readonly path: SharePath
  readonly file: PublicResource
  readonly token: string | undefined
  /** The time at which the link ends, in ms since 1970, or null. */
  readonly endMs: number | null
  /** The folder that contains the file. Undefined while it is loaded, and for a file that is shared by itself. */
  readonly parent: PublicResource | undefined
  /** The order in which the folder shows its files. The links to the other files follow it. */
  readonly order: ListingOrder
  readonly onRefused: (thrown: unknown) => void
}

/** Renders a file of a share: alone, with its size and date, or within its folder, with links to the other files. */
export function SharedFile(props: SharedFileProps) {
  const { path, file, token, onRefused } = props
  const download = { path, query: { token } }
  // The server refuses both for a share that is for viewing only (decision 71).
  const buttons = file.shareMode !== 'view-only' && (
    <>
      <DownloadLink download={download} onRefused={onRefused}>
        {t('guest.downloadFile')}
      </DownloadLink>
      <LinkButton
        icon={directed(ExternalLink)}
        href={shareInlineHref(path, token)}
        target="_blank"
        rel="noopener noreferrer"
      >
        {t('guest.openFile')}
      </LinkButton>
    </>
  )
  const preview = (
    <div className={styles.stage}>
      <Preview key={path} path={path} file={file} token={token} />
    </div>
  )
  if (!isShareRoot(path)) return <FileInFolder {...props} buttons={buttons} preview={preview} />
  return (
    <div className={styles.single} data-part="shared-file">
      <InfoBox entry={file} endMs={props.endMs}>
        {buttons}
      </InfoBox>
      <section className={styles.preview} aria-label={t('guest.preview')}>
        {preview}
      </section>
      <LinkCode />
    </div>
  )
}

type FileInFolderProps = SharedFileProps & {
  readonly buttons: ReactNode
  readonly preview: ReactNode
}

function FileInFolder({ path, file, parent, order, buttons, preview }: FileInFolderProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useOpenFile(path)
  useEffect(() => heading.current?.focus(), [])
  const sort = useStore(entrySorter)
  const files = (sort?.(parent?.items ?? [], order) ?? []).filter(({ isFolder }) => !isFolder)
  const position = files.findIndex(({ name }) => name === file.name)
  const close = (): void => navigate(shareUrl(parentOf(path), true))
  const step = (by: 1 | -1): void => {
    const name = position === -1 ? undefined : files[position + by]?.name
    const to = name === undefined ? null : childOf(parentOf(path), name)
    if (to !== null) navigate(shareUrl(to, false), { replace: true })
  }
  useFileStepKeys({ onClose: close, onStep: step })
  return (
    <article className={styles.file} data-part="shared-file">
      <header className={styles.fileHeader}>
        <IconButton icon={X} label={t('guest.close')} onClick={close} />
        <div className={styles.fileFacts}>
          <h1 ref={heading} tabIndex={-1}>
            <FileName name={file.name} isWhole />
          </h1>
          <FactLine
            facts={[
              formatSize(file.size),
              formatDate(Date.parse(file.modified)),
              ...(position === -1
                ? []
                : [t('guest.position', { position: position + 1, total: files.length })]),
            ]}
          />
        </div>
        <div className={styles.steps}>
          <IconButton
            icon={directed(ChevronLeft)}
            label={t('guest.previous')}
            blockedBy={position <= 0 ? t('guest.isFirst') : undefined}
            onClick={() => step(-1)}
          />
          <IconButton
            icon={directed(ChevronRight)}
            label={t('guest.next')}
            blockedBy={position === files.length - 1 ? t('guest.isLast') : undefined}
            onClick={() => step(1)}
          />
        </div>
        <div className={styles.buttons}>{buttons}</div>
      </header>
      {preview}
    </article>
  )
}
