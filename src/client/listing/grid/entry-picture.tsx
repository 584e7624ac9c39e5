import { FilePicture } from '../../ui/file-picture.tsx'
import { listingAfterRows } from '../parts/load-after-rows.ts'
import type { ThumbnailProps } from '../thumbnails/entry-thumbnail.tsx'

/** The first rows have icons until the code of the thumbnails is loaded. */
const Thumbnail = listingAfterRows.part((module) => module.EntryThumbnail, EntryIcon)

/**
 * Renders the thumbnail of an entry, or its icon when the URL is empty. The picture is hidden from screen readers, and has
 * the size that the class name gives.
 */
export const EntryPicture = (props: ThumbnailProps) =>
  props.address === '' ? <EntryIcon {...props} /> : <Thumbnail {...props} />

function EntryIcon({ entry, className }: ThumbnailProps) {
  return <FilePicture {...entry} className={className} />
}
