import { useRef } from 'react'
import { t } from '../../i18n/translate.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { classNames } from '../../ui/class-names.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import { EntryThumbnail } from '../thumbnails/entry-thumbnail.tsx'
import type { CoverLoader } from './cover-loader.ts'
import type { FolderCoverProps } from './folder-cover-part.ts'
import { useCover } from './use-cover.ts'
import styles from './folder-cover.module.css'

type CoverFrameProps = FolderCoverProps & {
  readonly path: string
  /** Loads the covers of the list that contains the folder. */
  readonly covers: CoverLoader
  /** Returns the URL of the thumbnail of a picture in the folder. */
  readonly thumbnailOf: (picture: ListedEntry) => string
  /** False for somebody who may not download, and therefore sees no pictures. */
  readonly hasPictures: boolean
}

/**
 * Renders up to four pictures in a folder, and the number of its entries. The icon of the folder is shown until they are known, and
 * in a folder without pictures.
 */
export function CoverFrame({ entry, className, path, covers, thumbnailOf, hasPictures }: CoverFrameProps) {
  const frame = useRef<HTMLSpanElement>(null)
  const cover = useCover(covers, { path, modifiedMs: entry.modifiedMs }, frame)
  const pictures = hasPictures ? (cover?.pictures ?? []) : []
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
          address={thumbnailOf(picture)}
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
