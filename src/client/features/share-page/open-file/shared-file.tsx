import { type ReactNode, useEffect, useState } from 'react'
import { Download, ExternalLink } from 'lucide'
import type { PublicResource } from '../../../../shared/contract/shares.ts'
import { childOf, parentOf } from '../../../../shared/domain/path.ts'
import type { ListingOrder } from '../../../../shared/domain/sorting.ts'
import { t } from '../../../i18n/translate.ts'
import '../../../i18n/viewer-texts.ts'
import { recordVisit } from '../../../router/folder-positions.ts'
import { navigate } from '../../../router/router.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import { useStore } from '../../../state/store.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { directed } from '../../../ui/icon.tsx'
import { combinationOf } from '../../../ui/keyboard/keys.ts'
import { mobileQuery, useMedia } from '../../../ui/measuring/use-media.ts'
import type { MenuEntry } from '../../../ui/menu/menu-entry.ts'
import { coversScreen } from '../../viewers/covers-screen.ts'
import { FileViewer } from '../../viewers/file-viewer.tsx'
import { NoPreview } from '../../viewers/frame/no-preview.tsx'
import { fileFactTexts } from '../../viewers/screen/file-facts.ts'
import { OpenFileFrame } from '../../viewers/screen/open-file-frame.tsx'
import { type Siblings, type SiblingRows, siblingsIn } from '../../viewers/screen/siblings.ts'
import type { ViewedFile, ViewerProps } from '../../viewers/viewer.ts'
import { DownloadLink } from '../download-link.tsx'
import { entrySorter } from '../entry-sorter.ts'
import { isShareRoot, type SharePath, shareUrl } from '../share-address.ts'
import {
  fileTypeOf,
  knownDownloads,
  type ShareDownload,
  shareInlineHref,
  startShareDownload,
  useDownloadBlock,
} from '../share-download.ts'
import type { LinkTerms } from '../link-terms.ts'
import { endText, senderText } from '../share-facts.tsx'
import { ShareHeading } from '../share-heading.tsx'
import { ShareMenu } from '../share-menu.tsx'
import { sharedThumbnailOf } from '../pictures/shared-thumbnail.ts'
import { useSharedTakenTime } from './use-shared-taken-time.ts'
import { viewedShareFile } from './viewed-share-file.ts'
import styles from '../share-page.module.css'

type SharedFileProps = {
  readonly path: SharePath
  readonly file: PublicResource
  readonly token: string | undefined
  readonly terms: LinkTerms
  /** The folder that contains the file. Undefined while it is loaded, and for a file that is shared by itself. */
  readonly parent: PublicResource | undefined
  /** The order in which the folder shows its files. The links to the other files follow it. */
  readonly order: ListingOrder
  readonly onRefused: (thrown: unknown) => void
}

/**
 * Renders a file of a share. A document that is shared by itself is shown below its name, like a shared folder. All other files have the
 * frame that users see.
 */
export function SharedFile(props: SharedFileProps) {
  const { path, file, token } = props
  const facts = {
    name: file.name,
    sizeBytes: file.size,
    modifiedMs: Date.parse(file.modified),
    type: fileTypeOf(file),
    resolution: file.resolution,
  }
  const viewed = viewedShareFile(path, facts, token)
  const siblings = useSharedSiblings(props)
  const neighboursOf: ViewerProps['neighboursOf'] = (types) =>
    siblings.entriesOf(types).map((entry) => ({
      name: entry.name,
      type: entry.type,
      isOpen: entry.name === file.name,
      open: () => openBeside(path, entry),
    }))
  const content = (
    <Preview key={path} file={viewed}>
      <FileViewer
        path={null}
        file={viewed}
        neighboursOf={neighboursOf}
        isQuick={false}
        renderFallback={(reason) => <NoPreview file={viewed} reason={reason} />}
      />
    </Preview>
  )
  if (isShareRoot(path) && !coversScreen(viewed)) return <SharedDocument {...props}>{content}</SharedDocument>
  return (
    <OpenSharedFile {...props} viewed={viewed} siblings={siblings}>
      {content}
    </OpenSharedFile>
  )
}

/**
 * Renders the content of a file, unless the link allows only one more download. The server counts the bytes of a document, and
 * the guest must still be able to save it. Pictures are shown by their previews, which it does not count.
 */
function Preview({ file, children }: { readonly file: ViewedFile; readonly children: ReactNode }) {
  const [isShown] = useState(() => file.type === 'image' || knownDownloads.get().left !== 1)
  return isShown ? children : <NoPreview file={file} reason={null} />
}

/** Opens another file of the folder of an open file. */
function openBeside(path: SharePath, { name }: ListedEntry): void {
  const to = childOf(parentOf(path), name)
  if (to !== null && to !== path) navigate(shareUrl(to, false), { replace: true })
}

/** Returns the files before and after an open file. There are none until the folder and the code that sorts it are there. */
function useSharedSiblings({ path, file, parent, order }: SharedFileProps): Siblings {
  const sort = useStore(entrySorter)
  const files = (sort?.(parent?.items ?? [], order, parentOf(path)) ?? []).filter(({ isFolder }) => !isFolder)
  return siblingsIn(rowsOfFiles(files), file.name, () => true)
}

const rowsOfFiles = (files: readonly ListedEntry[]): SiblingRows => ({
  summary: { total: files.length },
  entryAt: (index) => files[index],
  typeAt: (index) => files[index]?.type ?? 'blob',
  indexOfName: (name) => files.findIndex((file) => file.name === name),
})

type SharedDocumentProps = SharedFileProps & { readonly children: ReactNode }

/** Renders a document that is shared by itself. */
function SharedDocument({ path, file, token, terms, onRefused, children }: SharedDocumentProps) {
  const mayDownload = file.shareMode !== 'view-only'
  const isBlocked = useDownloadBlock() !== undefined
  return (
    <div className={styles.folder} data-part="shared-file">
      <ShareHeading
        entry={file}
        terms={terms}
        entries={mayDownload ? [openInTab(path, token, isBlocked)] : []}
      >
        {mayDownload && (
          <DownloadLink download={{ path, query: { token } }} onRefused={onRefused} isLarge>
            {t('guest.downloadFile')}
          </DownloadLink>
        )}
      </ShareHeading>
      <section className={styles.preview} aria-label={t('guest.preview')}>
        {children}
      </section>
    </div>
  )
}

type OpenSharedFileProps = SharedFileProps & {
  readonly viewed: ViewedFile
  readonly siblings: Siblings
  readonly children: ReactNode
}

/** Renders a file in the frame of open files, with the tools of a guest. */
function OpenSharedFile({ viewed, siblings, children, ...props }: OpenSharedFileProps) {
  const { path, file, token, terms, onRefused } = props
  const isAlone = isShareRoot(path)
  const folder = parentOf(path)
  // The server refuses both for a share that is for viewing only (decision 71).
  const mayDownload = file.shareMode !== 'view-only'
  const download: ShareDownload = { path, query: { token } }
  const takenMs = useSharedTakenTime(path, viewed, token)
  useEffect(() => {
    // The row of the file gets the focus when its folder is shown again.
    if (!isShareRoot(path)) recordVisit(path)
  }, [path])
  useFocusOnName()
  const fileFacts = fileFactTexts(siblings, viewed, takenMs)
  const block = useDownloadBlock()
  const save = (): void => void startShareDownload(download).catch(onRefused)
  return (
    <OpenFileFrame
      file={viewed}
      isReadable
      part="shared-file"
      documentClass={styles.file}
      facts={isAlone ? factsWithLink(props, fileFacts, block) : fileFacts}
      siblings={siblings}
      onClose={isAlone ? null : () => navigate(shareUrl(folder, true))}
      onStep={(to) => {
        const entry = siblings[to]
        if (entry !== null) openBeside(path, entry)
      }}
      onOpen={(entry) => openBeside(path, entry)}
      runKey={(event) => {
        if (!mayDownload || combinationOf(event) !== 'ctrl+s') return false
        save()
        return true
      }}
      viewedOf={(entry) => {
        const to = childOf(folder, entry.name)
        return to === null ? null : viewedShareFile(to, entry, token)
      }}
      thumbnailOf={(entry) => sharedThumbnailOf({ path: folder, token }, entry)}
      renderTools={(entries) => (
        <>
          {mayDownload && <FileDownload download={download} onRefused={onRefused} onSave={save} />}
          <ShareMenu
            entry={file}
            terms={terms}
            entries={[...(mayDownload ? [openInTab(path, token, block !== undefined)] : []), ...entries]}
          />
        </>
      )}
    >
      {children}
    </OpenFileFrame>
  )
}

type FileDownloadProps = {
  readonly download: ShareDownload
  readonly onRefused: (thrown: unknown) => void
  readonly onSave: () => void
}

/** Renders the download of an open file: a link with its text, or a button with an icon where the bar has no room for the text. */
function FileDownload({ download, onRefused, onSave }: FileDownloadProps) {
  const block = useDownloadBlock()
  return useMedia(mobileQuery) ? (
    <IconButton icon={Download} label={t('guest.downloadFile')} blockedBy={block} onClick={onSave} />
  ) : (
    <DownloadLink download={download} onRefused={onRefused}>
      {t('guest.downloadFile')}
    </DownloadLink>
  )
}

/** Moves the focus to the name of the file, so that screen readers say it and the keys of the file work. */
function useFocusOnName(): void {
  useEffect(() => document.querySelector<HTMLElement>('#content h1')?.focus({ preventScroll: true }), [])
}

/** Returns the facts of a file that is shared by itself, with from whom and until when it is. */
const factsWithLink = (
  { terms, file }: Pick<SharedFileProps, 'terms' | 'file'>,
  facts: readonly string[],
  block: string | undefined,
): string[] => [
  senderText(terms),
  ...facts,
  ...(terms.endMs === null ? [] : [endText(terms.endMs)]),
  ...(file.shareMode === 'view-only' ? [t('guest.viewOnly')] : block === undefined ? [] : [block]),
]

/** Returns the menu entry that shows the bytes of a file in a tab of the browser. */
const openInTab = (path: SharePath, token: string | undefined, isDisabled: boolean): MenuEntry => ({
  id: 'open-in-tab',
  label: t('guest.openFile'),
  icon: directed(ExternalLink),
  isDisabled,
  run: () => void window.open(shareInlineHref(path, token), '_blank', 'noopener'),
})
