import type { PosterExtension, PosterFeature } from '../../../shared/contract/page.ts'
import type { PreviewSize } from '../../../shared/contract/previews.ts'
import { isConvertibleImage } from '../../../shared/domain/convertible-images.ts'
import { splitName } from '../../../shared/domain/names.ts'
import { childOf, type Path } from '../../../shared/domain/path.ts'
import { config, offers } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { userOf } from '../../state/session.ts'

/** The parameters of a request for a thumbnail. */
export type ThumbnailRequest = {
  readonly size: PreviewSize
  /** True for a picture that the server draws of a file that it cannot scale down. */
  readonly poster: true | undefined
}

/**
 * Returns what to ask of the server for an entry's thumbnail, or null when the entry has none. Images that the server
 * cannot scale down have no thumbnail, because the server would send the whole file. Videos, PDF files and photos in
 * other formats have one where the server announces that it draws pictures of them. The sizes for the tiles of a gallery show the
 * whole picture, and elsewhere a thumbnail is a square part of it. Only images have the largest size, where the server makes it, and only
 * those that are never animations: the server sends an animation as it is.
 */
export function thumbnailRequest(
  { name, type, sizeBytes, isBroken }: ListedEntry,
  wanted: PreviewSize = 'thumb',
): ThumbnailRequest | null {
  if (isBroken || sizeBytes === 0 || !config().EnableThumbs) return null
  const extension = splitName(name).extension.slice(1).toLowerCase()
  const isImage = isConvertibleImage(name, type)
  if (!isImage && !hasPoster(type, extension)) return null
  const hasLarge = type === 'image' && config().ResizePreview && !animatedExtensions.includes(extension)
  return { size: wanted === 'big' && !hasLarge ? 'tile' : wanted, poster: isImage ? undefined : true }
}

/**
 * Returns the URL of an entry's thumbnail, or an empty string when the entry has no thumbnail. The URL contains the modification
 * time, so that a changed file is fetched again, and the user's id, so that the browser's cache serves a thumbnail
 * only to the user who was allowed to see it.
 */
export function thumbnailOf(folder: Path, entry: ListedEntry, wanted?: PreviewSize): string {
  const path = childOf(folder, entry.name)
  const request = thumbnailRequest(entry, wanted)
  if (path === null || request === null) return ''
  const { size, poster } = request
  const query = { k: `${userOf()?.id}-${Math.floor(entry.modifiedMs)}`, inline: true, poster }
  return href('preview.get', { size, path, query })
}

/**
 * Returns true when the server draws pictures of such files. A file with the name of a HEIC image may be a JPEG, of which every
 * server makes a thumbnail. Without the program for HEIC, the server refuses the others.
 */
export const hasPoster = (
  type: string,
  extension: string,
  isOffered: (feature: PosterFeature) => boolean = offers,
): boolean =>
  (type === 'image' && heicExtensions.includes(extension)) ||
  isOffered(`poster-${type === 'image' ? extension : type}` as PosterFeature)

/** The extensions of images that may be animations. An image without an extension may have any format. */
const animatedExtensions: readonly string[] = ['', 'gif', 'png', 'webp', 'avif']

const heicExtensions: readonly string[] = ['heic', 'heif', 'hif'] satisfies readonly PosterExtension[]
