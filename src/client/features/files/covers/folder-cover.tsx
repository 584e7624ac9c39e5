import { useRef } from 'react'
import { childOf, root } from '../../../../shared/domain/path.ts'
import { t } from '../../../i18n/translate.ts'
import type { FolderCoverPart } from '../../../listing/grid/folder-cover-part.ts'
import { folderListing } from '../../../listing/grid/shown-listings.ts'
import { EntryThumbnail } from '../../../listing/thumbnails/entry-thumbnail.tsx'
import { thumbnailOf } from '../../../operations/thumbnails/thumbnail-address.ts'
import { useMay } from '../../../state/session.ts'
import { classNames } from '../../../ui/class-names.ts'
import { FilePicture } from '../../../ui/file-picture.tsx'
import { useCover } from './use-cover.ts'
import styles from './folder-cover.module.css'

/**
 * Renders up to four pictures in a folder, and the number of its entries. The icon of the folder is shown until they are known, and
 * in a folder without pictures.
 */
export const FolderCover: FolderCoverPart = ({ entry, className }) => {
  const frame = useRef<HTMLSpanElement>(null)
  const path = childOf(entry.folder ?? folderListing.selection.get().folder ?? root, entry.name) ?? root
  const cover = useCover({ path, modifiedMs: entry.modifiedMs }, frame)
  const pictures = useMay()('download') ? (cover?.pictures ?? []) : []
  return (
    <span
      ref={frame}
      className={classNames(styles.cover, className)}
      data-count={pictures.length}
      data-part="cover"
    >
      {pictures.length === 0 && <FilePicture {...entry} size={64} />}
      {pictures.map((picture) => (
        <EntryThumbnail
          key={picture.name}
          entry={picture}
          address={thumbnailOf(path, picture)}
          className={styles.picture}
        />
      ))}
      {cover !== null && (
        <span className={classNames(styles.count, 'numbers')}>
          {pictures.length > 0 && <FilePicture {...entry} size={16} className={styles.mark} />}
          {t('listing.items', { count: cover.items })}
        </span>
      )}
    </span>
  )
}
