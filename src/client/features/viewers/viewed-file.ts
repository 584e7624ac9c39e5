import type { FileResource } from '../../../shared/contract/resources.ts'
import { convertibleExtensions } from '../../../shared/domain/convertible-images.ts'
import type { FileType } from '../../../shared/domain/file-types.ts'
import { splitName } from '../../../shared/domain/names.ts'
import { nameOf, pathOf, type Path } from '../../../shared/domain/path.ts'
import { config } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import { userOf } from '../../state/session.ts'
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
  previewAddress: hasPreview(path) ? previewAddress(path, facts.modifiedMs) : null,
  subtitles: subtitlePaths.flatMap(subtitleOf),
  versionKey: JSON.stringify([path, facts.sizeBytes, facts.modifiedMs]),
})

/** Returns what a viewer needs to know of a file's description in the API. */
export const fileFactsOf = ({ name, size, modified, type, resolution }: FileResource): FileFacts => ({
  name,
  sizeBytes: size,
  modifiedMs: Date.parse(modified),
  type: type as FileType,
  resolution,
})

/** Fetches an image into the cache of the browser. */
export function preloadImage({ previewAddress: smaller, address }: ViewedFile): void {
  const image = new Image()
  image.src = smaller ?? address
}

/** Returns true when the server makes a smaller preview of an image. */
const hasPreview = (path: Path): boolean =>
  config().ResizePreview &&
  convertibleExtensions.has(splitName(nameOf(path)).extension.slice(1).toLowerCase())

/**
 * Returns the URL of the smaller preview. Browsers cache previews, so the URL changes with the file, and with the user,
 * who may not be allowed to see it.
 */
const previewAddress = (path: Path, modifiedMs: number): string =>
  href('preview.get', {
    size: 'big',
    path,
    query: { k: `${userOf()?.id}-${Math.floor(modifiedMs)}`, inline: true },
  })

function subtitleOf(text: string): Subtitle[] {
  const path = pathOf(text)
  return path === null
    ? []
    : [{ name: nameOf(path), address: href('subtitles.get', { path, query: { inline: true } }) }]
}
