import { convertibleExtensions } from '../../../../shared/domain/convertible-images.ts'
import { splitName } from '../../../../shared/domain/names.ts'
import { nameOf, type Path } from '../../../../shared/domain/path.ts'
import { config } from '../../../api/config.ts'
import { href } from '../../../api/href.ts'
import { userOf } from '../../../state/session.ts'

type ImageFile = { readonly path: Path; readonly modifiedMs: number }

/** Returns true when the server makes a smaller preview of an image. */
export const hasPreview = (path: Path): boolean =>
  config().ResizePreview &&
  convertibleExtensions.has(splitName(nameOf(path)).extension.slice(1).toLowerCase())

export const originalAddress = (path: Path): string => href('raw.get', { path, query: { inline: true } })

/**
 * Returns the address of the smaller preview. Browsers cache previews, so the address changes with the file, and with the
 * user, who may not be allowed to see it.
 */
export const previewAddress = ({ path, modifiedMs }: ImageFile): string =>
  href('preview.get', {
    size: 'big',
    path,
    query: { k: `${userOf()?.id}-${Math.floor(modifiedMs)}`, inline: true },
  })

/** Fetches an image into the cache of the browser. */
export function preloadImage(file: ImageFile): void {
  const image = new Image()
  image.src = hasPreview(file.path) ? previewAddress(file) : originalAddress(file.path)
}
