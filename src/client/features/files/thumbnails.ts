import { splitName } from '../../../shared/domain/names.ts'
import { childOf, type Path } from '../../../shared/domain/path.ts'
import { convertedExtensions } from '../../../shared/domain/shown-images.ts'
import { config } from '../../api/config.ts'
import { href } from '../../api/href.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { may } from '../../state/session.ts'

/**
 * The address of an image's thumbnail; empty where there is none. What the server does not make smaller has none: it would come whole.
 * The time of change stands in it, so that a changed image is asked for anew.
 */
export function thumbnailOf(
  folder: Path,
  { name, type, sizeBytes, modifiedMs, isBroken }: ListedEntry,
): string {
  const extension = splitName(name).extension.slice(1).toLowerCase()
  const isShown = type === 'image' && !isBroken && sizeBytes > 0 && convertedExtensions.has(extension)
  if (!isShown || !config().EnableThumbs || !may('download')) return ''
  const path = childOf(folder, name)
  const query = { k: Math.floor(modifiedMs), inline: true }
  return path === null ? '' : href('preview.get', { word: 'thumb', path, query })
}
