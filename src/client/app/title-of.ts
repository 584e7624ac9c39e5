import { t } from '../i18n/translate.ts'
import type { Location } from '../router/router.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import { visibleName } from '../ui/visible-name.ts'

/**
 * Returns the title of the tab: the name of the folder or file, followed by the name of the screen (specification 2).
 */
export function titleOf({ screen, path }: Location): string {
  const screenName = t(`title.${screen}`)
  if (screen !== 'files' || path === null || path === root) return screenName
  return `${visibleName(nameOf(path))} - ${screenName}`
}
