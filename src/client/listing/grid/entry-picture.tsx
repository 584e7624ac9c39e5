import { useStore } from '../../state/store.ts'
import { FilePicture } from '../../ui/file-picture.tsx'
import { thumbnailPart, type ThumbnailProps } from './thumbnail-part.ts'

/**
 * Renders the thumbnail of an entry, or its icon when the URL is empty. The picture is hidden from screen readers, and has
 * the size that the class name gives.
 */
export function EntryPicture({ entry, address, className }: ThumbnailProps) {
  const part = useStore(thumbnailPart)
  if (address === '' || part === null) return <FilePicture {...entry} className={className} />
  return <part.Component entry={entry} address={address} className={className} />
}
