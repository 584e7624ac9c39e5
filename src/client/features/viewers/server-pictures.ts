import { isConvertibleImage } from '../../../shared/domain/convertible-images.ts'
import { splitName } from '../../../shared/domain/names.ts'
import { config, offers } from '../../api/config.ts'
import { isDrawing, isRaw, isTiff } from './image-names.ts'
import type { ViewedFile } from './viewer.ts'

/** The source of a preview: the image itself, or a picture that a program of the server draws. */
export type PreviewOrigin = 'image' | 'drawing'

/** Returns the source from which the server makes a smaller preview of an image, or null when it makes no preview. */
export function previewOriginOf({ name, type }: Pick<ViewedFile, 'name' | 'type'>): PreviewOrigin | null {
  if (!config().ResizePreview) return null
  if (isConvertibleImage(name, type)) return 'image'
  const extension = splitName(name).extension.slice(1).toLowerCase()
  const isDrawn = drawnExtensions.some((drawn) => drawn === extension && offers(`poster-${drawn}`))
  return isDrawn ? 'drawing' : null
}

/** The extensions of images that neither most browsers nor the viewers can decode, so the server renders a preview. */
const drawnExtensions = ['heic', 'heif', 'hif', 'raf'] as const

/** Returns the source of the large picture that the server draws of a video, or null when it draws none. */
export const posterOriginOf = ({ type }: Pick<ViewedFile, 'type'>): PreviewOrigin | null =>
  type === 'video' && offers('poster-video') && config().EnableThumbs && config().ResizePreview
    ? 'drawing'
    : null

/**
 * Returns the URL of the picture that a viewer shows of an image first, or null where it must not be fetched ahead. Drawings
 * are left out: browsers draw them in the thread of the page, and a drawing of unknown size can keep the page busy for good. TIFF and RAW files without a smaller version are left
 * out too, because their viewers do not give them to the browser.
 */
export const preloadAddressOf = ({ name, previewAddress: smaller, address }: ViewedFile): string | null =>
  smaller ?? (isDrawing(name) || isTiff(name) || isRaw(name) ? null : address)
