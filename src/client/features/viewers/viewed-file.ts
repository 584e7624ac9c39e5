import type { FileResource } from '../../../shared/contract/resources.ts'
import { isConvertibleImage } from '../../../shared/domain/convertible-images.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { splitName } from '../../../shared/domain/names.ts'
import { nameOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { config, offers } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import { userOf } from '../../state/session.ts'
import { isDrawing, isRaw, isTiff } from './image-names.ts'
import type { Subtitle, ViewedFile } from './viewer.ts'

type FileFacts = Pick<ViewedFile, 'name' | 'sizeBytes' | 'modifiedMs' | 'type' | 'resolution'>

/** Describes a file in the user's scope for a viewer. */
export const viewedFile = (
  path: Path,
  facts: FileFacts,
  subtitlePaths: readonly string[] = [],
): ViewedFile => ({
  ...facts,
  address: href('raw.get', { path, query: { inline: true } }),
  previewAddress: previewAddress(path, facts.modifiedMs, previewOriginOf(path, facts.type)),
  posterAddress: previewAddress(path, facts.modifiedMs, hasPoster(facts.type) ? 'drawing' : null),
  remuxAddress: offers('remux') ? href('raw.get', { path, query: { remux: '' } }) : null,
  subtitles: subtitlePaths.flatMap(subtitleOf),
  versionKey: JSON.stringify([path, facts.sizeBytes, facts.modifiedMs]),
})

/** Returns the fields that a viewer needs from a file's description in the API. */
export const fileFactsOf = ({ name, size, modified, type, resolution }: FileResource): FileFacts => ({
  name,
  sizeBytes: size,
  modifiedMs: Date.parse(modified),
  type: type as FileType,
  resolution,
})

/**
 * Returns the URL of the picture that a viewer shows of an image first, or null where it must not be fetched ahead. Drawings
 * are left out: browsers draw them in the thread of the page, and a drawing of unknown size can keep the page busy for good. TIFF and RAW files without a smaller version are left
 * out too, because their viewers do not give them to the browser.
 */
export const preloadAddressOf = ({ name, previewAddress: smaller, address }: ViewedFile): string | null =>
  smaller ?? (isDrawing(name) || isTiff(name) || isRaw(name) ? null : address)

/** The source of a preview: the image itself, or a picture that a program of the server draws. */
type PreviewOrigin = 'image' | 'drawing'

/** Returns the source from which the server makes a smaller preview of an image, or null when it makes no preview. */
function previewOriginOf(path: Path, type: FileType): PreviewOrigin | null {
  if (!config().ResizePreview) return null
  if (isConvertibleImage(nameOf(path), type)) return 'image'
  const extension = splitName(nameOf(path)).extension.slice(1).toLowerCase()
  const isDrawn = drawnExtensions.some((drawn) => drawn === extension && offers(`poster-${drawn}`))
  return isDrawn ? 'drawing' : null
}

/** The extensions of images that neither most browsers nor the viewers can decode, so the server renders a preview. */
const drawnExtensions = ['heic', 'heif', 'hif', 'raf'] as const

/** Returns true when the server draws a large picture of a video. */
const hasPoster = (type: FileType): boolean =>
  type === 'video' && offers('poster-video') && config().EnableThumbs && config().ResizePreview

/**
 * Returns the URL of the smaller preview, or null without an origin. Browsers cache previews, so the URL changes with
 * the file, and with the user, because the next user of the browser may not be allowed to see the file.
 */
function previewAddress(path: Path, modifiedMs: number, origin: PreviewOrigin | null): string | null {
  if (origin === null) return null
  const poster = origin === 'drawing' ? true : undefined
  const k = `${userOf()?.id}-${Math.floor(modifiedMs)}`
  return href('preview.get', { size: 'big', path, query: { k, inline: true, poster } })
}

function subtitleOf(text: string): Subtitle[] {
  const path = pathOf(text)
  return path === null
    ? []
    : [{ name: nameOf(path), address: href('subtitles.get', { path, query: { inline: true } }) }]
}
