import { useMemo, useRef, useState } from 'react'
import { CircleAlert, FileArchive, Folder } from 'lucide'
import type { PublicResource } from '../../../shared/contract/shares.ts'
import { childOf } from '../../../shared/domain/path.ts'
import type { ListingOrder, SortKey } from '../../../shared/domain/sorting.ts'
import { t } from '../../i18n/translate.ts'
import { Grid } from '../../listing/grid/grid.tsx'
import { takenTimes } from '../../listing/taken/taken-times.ts'
import { useFolderRows } from '../../listing/rows/folder-rows.ts'
import { openUrl } from '../../router/entry-url.ts'
import { withBase } from '../../router/router.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { startDensity } from '../../state/device/density.ts'
import type { RowSet } from '../../state/row-set.ts'
import { useStore } from '../../state/store.ts'
import { Banner } from '../../ui/banner.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { MenuEntry } from '../../ui/menu/menu-entry.ts'
import { visibleName } from '../../ui/visible-name.ts'
import { DownloadLink } from './download-link.tsx'
import { folderAfterRows } from './folder-after-rows.ts'
import { FolderBar } from './folder-bar.tsx'
import { columnsOfItems, guestListing, proposedView } from './guest-listing.ts'
import { guestViews, viewOf } from './guest-view.ts'
import {
  archiveOfEntries,
  type ShareDownload,
  startShareDownload,
  useDownloadBlock,
} from './share-download.ts'
import { type SharePath, shareUrl } from './share-address.ts'
import type { LinkTerms } from './link-terms.ts'
import { FormatDialog } from './share-dialogs.ts'
import { sharedName } from './share-facts.tsx'
import { ShareHeading } from './share-heading.tsx'
import { useFolderKeys } from './use-folder-keys.ts'
import { useShownFolder } from './use-shown-folder.ts'
import styles from './share-page.module.css'

// The style sheets know the chosen density before the first rows are rendered.
startDensity()

export type SharedFolderProps = {
  readonly path: SharePath
  readonly folder: PublicResource
  readonly terms: LinkTerms
  /** The key of the history entry, under which the position in the folder is kept. */
  readonly visitKey: string
  readonly order: ListingOrder
  readonly onOrder: (order: ListingOrder) => void
  readonly onRefused: (thrown: unknown) => void
}

/** Renders a shared folder: its name, its entries, and the buttons that download all or some of them. */
export function SharedFolder({
  path,
  folder,
  terms,
  visitKey,
  order,
  onOrder,
  onRefused,
}: SharedFolderProps) {
  const page = useRef<HTMLDivElement>(null)
  const [asked, setAsked] = useState<ShareDownload | null>(null)
  /** The rows that were selected when a key asked for a download of too many. */
  const [refused, setRefused] = useState<RowSet | null>(null)
  const { items } = folder
  const proposed = useMemo(() => proposedView(items ?? []), [items])
  const view = viewOf(useStore(guestViews), path) ?? proposed
  const parts = folderAfterRows.useModule()
  const times = useStore(takenTimes)
  const all = useMemo(() => columnsOfItems(items ?? [], order), [items, order])
  const columns = parts?.sharedOrderOf(path, all, view, times) ?? all
  // `useShownFolder` shows the columns, before the first paint. Until then the rows are those of the previous folder.
  const rows = useFolderRows(useStore(guestListing.columns))
  const selection = useStore(guestListing.selection)
  const isShown = selection.folder === path
  const isViewOnly = folder.shareMode === 'view-only'
  const whole: ShareDownload = { path, query: { token: folder.token } }
  const chosen = rows.entriesOf(selection.chosen)
  const isWhole = chosen.length > 1 && chosen.length === rows.summary.total
  const target = isWhole ? whole : downloadOf(whole, chosen)
  const urlOf = ({ name, isFolder }: ListedEntry): string => shareUrl(childOf(path, name) ?? path, isFolder)
  const open = (index: number, isNewTab = false): void => {
    const entry = rows.entryAt(index)
    if (entry !== undefined) openUrl(urlOf(entry), isNewTab)
  }
  const block = useDownloadBlock()
  const downloadChosen = (): void => {
    if (target === null) return setRefused(selection.chosen)
    void startShareDownload(target).catch(onRefused)
  }
  const download = isViewOnly ? null : downloadChosen
  const sort = (by: SortKey): void =>
    onOrder({ ...order, by, descending: order.by === by && !order.descending })
  useShownFolder({ path, visitKey, columns, canSelect: !isViewOnly }, page)
  useFolderKeys({ path, open, download })
  return (
    <div ref={page} className={styles.folder} data-part="shared-folder" data-view={view}>
      <ShareHeading
        entry={folder}
        terms={terms}
        entries={
          isViewOnly
            ? []
            : [formatsEntry(block !== undefined, () => setAsked((chosen.length > 1 && target) || whole))]
        }
      >
        {!isViewOnly && (
          <DownloadLink download={whole} onRefused={onRefused} isLarge>
            {t('guest.downloadAll')}
          </DownloadLink>
        )}
      </ShareHeading>
      {refused === selection.chosen && (
        <Banner kind="warning" icon={CircleAlert} isAlert>
          {t('guest.tooMany')}
        </Banner>
      )}
      {isShown && (
        <section className={styles.list} aria-label={t('listing.files')}>
          <FolderBar
            {...{ path, rows, selection, view, download }}
            onSort={sort}
            isTooMany={target === null}
          />
          {rows.summary.total === 0 ? (
            <EmptyState icon={Folder} text={t('listing.lonely')} />
          ) : (
            <Grid
              listing={guestListing}
              label={visibleName(sharedName(folder))}
              rows={rows}
              order={rows.sortedBy}
              view={view}
              isBusy={false}
              cover={parts?.SharedCover}
              opensNames
              hrefOf={(entry) => withBase(urlOf(entry))}
              thumbnailOf={(entry, size) =>
                parts?.sharedThumbnailOf({ path, token: folder.token }, entry, size) ?? ''
              }
              onSort={(by) => by !== 'folder' && sort(by)}
              onOpen={open}
            />
          )}
          {parts && <parts.SharedDates {...{ path, rows, view }} />}
        </section>
      )}
      {asked !== null && (
        <FormatDialog download={asked} onClose={() => setAsked(null)} onRefused={onRefused} />
      )}
    </div>
  )
}

/** Returns the download of some entries of a folder, or null for more entries than one request can name. */
function downloadOf(folder: ShareDownload, entries: readonly ListedEntry[]): ShareDownload | null {
  const [first] = entries
  if (first === undefined) return folder
  const path = entries.length === 1 ? childOf(folder.path, first.name) : null
  if (path !== null) return { ...folder, path }
  return archiveOfEntries(
    folder,
    Array.from(entries, ({ name }) => name),
  )
}

/** Returns the menu entry that asks for the format of an archive of the folder. */
const formatsEntry = (isDisabled: boolean, run: () => void): MenuEntry => ({
  id: 'formats',
  label: t('guest.otherFormats'),
  icon: FileArchive,
  isDisabled,
  run,
})
