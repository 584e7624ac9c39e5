import { nameOf, pathOf } from '../../../shared/domain/path.ts'
import { t } from '../../i18n/translate.ts'
import { textOfPlace } from '../../paths/names-of-place.ts'
import { visibleName } from '../../ui/visible-name.ts'

/** Returns the visible name of the entry at the path of a link, without the slashes around it. */
export function nameOfLink(sharedPath: string): string {
  const path = pathOf(sharedPath)
  return path === null ? visibleName(sharedPath) : visibleName(nameOf(path)) || t('sidebar.myFiles')
}

/** Returns the path of a link as a text. */
export function pathTextOfLink(sharedPath: string): string {
  const path = pathOf(sharedPath)
  return path === null ? visibleName(sharedPath) : textOfPlace(path)
}
