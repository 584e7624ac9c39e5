import { useEffect, useState } from 'react'
import { X } from 'lucide'
import type { Path } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import type { FolderRows } from '../../../listing/rows/folder-rows.ts'
import { folderViews, useViewMode } from '../../../state/device/folder-views.ts'
import { rememberView } from '../../../state/device/saved-folder-views.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './gallery-proposal.module.css'

type GalleryProposalProps = {
  readonly path: Path
  /** All rows of the folder. */
  readonly rows: FolderRows
}

/** A folder with fewer files is seen at a glance in any view. */
const minFiles = 8

/**
 * Proposes the gallery, once for each folder, in a folder without a chosen view in which more than half of the files are pictures.
 * The line lies above the end of the list, so that no row moves.
 */
export function GalleryProposal({ path, rows }: GalleryProposalProps) {
  const mode = useViewMode(path)
  /** True until the user answers, if nothing was chosen or proposed for the folder before this visit. */
  const [isOpen, setOpen] = useState(() => !folderViews.get().views.has(path))
  const isShown = isOpen && mode !== 'mosaic gallery' && areMostlyPictures(rows)
  useEffect(() => {
    if (isShown && !folderViews.get().views.has(path)) rememberView(path, '')
  }, [isShown, path])
  if (!isShown) return null
  const close = (): void => setOpen(false)
  return (
    <div className={styles.proposal} role="note" data-part="proposal">
      <span className={styles.text}>{t('listing.mostlyPictures')}</span>
      <Button
        kind="quiet"
        onClick={() => {
          close()
          rememberView(path, 'mosaic gallery')
        }}
      >
        {t('action.show-gallery')}
      </Button>
      <IconButton icon={X} label={t('buttons.close')} onClick={close} />
    </div>
  )
}

/** Counts the pictures among the files, as soon as all have arrived. A million rows take about 10 ms. */
function areMostlyPictures({ summary, typeAt }: FolderRows): boolean {
  const { folders, files, total, isComplete } = summary
  if (!isComplete || files < minFiles) return false
  let pictures = 0
  for (let index = folders; index < total; index += 1) if (typeAt(index) === 'image') pictures += 1
  return pictures * 2 > files
}
