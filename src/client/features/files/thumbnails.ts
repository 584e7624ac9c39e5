import { splitName } from '../../../shared/domain/names.ts'
import { childOf, type Path } from '../../../shared/domain/path.ts'
import { convertibleExtensions } from '../../../shared/domain/convertible-images.ts'
import type { GridView } from '../../listing/grid/grid-view.ts'
import { tileSize } from '../../listing/sizes/tile-size.ts'
import { config } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { userOf } from '../../state/session.ts'

/**
 * Returns the URL of an image's thumbnail, or an empty string when the entry has no thumbnail. Images that the server
 * cannot scale down have no thumbnail, because the server would send the whole file. The URL contains the modification
 * time, so that a changed image is fetched again, and the user's id, so that the browser's cache serves a thumbnail
 * only to the user who was allowed to see it. Large tiles of the gallery get the larger preview, except for GIF files,
 * whose larger preview is the whole animation.
 */
export function thumbnailOf(
  folder: Path,
  { name, type, sizeBytes, modifiedMs, isBroken }: ListedEntry,
  view: GridView,
): string {
  const extension = splitName(name).extension.slice(1).toLowerCase()
  const isConvertible = type === 'image' && !isBroken && sizeBytes > 0 && convertibleExtensions.has(extension)
  if (!isConvertible || !config().EnableThumbs) return ''
  const path = childOf(folder, name)
  const query = { k: `${userOf()?.id}-${Math.floor(modifiedMs)}`, inline: true }
  const size = view === 'gallery' && extension !== 'gif' && needsLargePreview() ? 'big' : 'thumb'
  return path === null ? '' : href('preview.get', { size, path, query })
}

/**
 * The largest width in device pixels at which a thumbnail still looks sharp. The server's thumbnails are 256 pixels
 * wide; enlarged by half, their pixels cannot be told apart on screens that have such a density.
 */
const maxThumbnailPx = 384

const needsLargePreview = (): boolean =>
  config().ResizePreview && Number(tileSize.get()) * devicePixelRatio > maxThumbnailPx
