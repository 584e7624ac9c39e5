import { useStore } from '../../state/store.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import { thumbnailPart, type ThumbnailProps } from './thumbnail-part.ts'

/**
 * Renders the thumbnail of an entry, or its icon when the URL is empty. The picture is hidden from screen readers, and has
 * the size that the class name gives.
 */
export function EntryPicture({ entry, address, className }: ThumbnailProps) {
  const Thumbnail = useStore(thumbnailPart)?.Component
  return address && Thumbnail ? (
    <Thumbnail entry={entry} address={address} className={className} />
  ) : (
    <FilePicture {...entry} className={className} />
  )
}
