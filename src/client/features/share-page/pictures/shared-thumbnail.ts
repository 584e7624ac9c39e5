import type { PreviewSize } from '../../../../shared/contract/previews.ts'
import { childOf } from '../../../../shared/domain/path.ts'
import { href } from '../../../api/href.ts'
import { thumbnailRequest } from '../../../operations/thumbnails/thumbnail-address.ts'
import type { ListedEntry } from '../../../state/listed-entry.ts'
import type { SharePath } from '../share-address.ts'

/** A shared folder, as far as the addresses of its thumbnails depend on it. */
export type ThumbnailFolder = {
  readonly path: SharePath
  readonly token: string | undefined
}

/**
 * Returns the URL of the thumbnail of an entry of a shared folder, or an empty string when the entry has no thumbnail. The URL
 * contains the modification time, so that a changed file is fetched again.
 */
export function sharedThumbnailOf(
  { path, token }: ThumbnailFolder,
  entry: ListedEntry,
  wanted?: PreviewSize,
): string {
  const request = thumbnailRequest(entry, wanted)
  const at = childOf(path, entry.name)
  if (request === null || at === null) return ''
  const { size, poster } = request
  return href('public.preview', {
    size,
    path: at,
    query: { token, k: String(Math.floor(entry.modifiedMs)), poster },
  })
}
