import { t } from '../i18n/translate.ts'
import type { Location } from '../router/router.ts'
import { nameOf, root } from '../../shared/domain/path.ts'
import { visibleName } from '../ui/visible-name.ts'

/** The title of the tab at a place: the name of the folder or file before that of the screen (specification 2). */
export function titleOf({ screen, path }: Location): string {
  const screenName = t(`title.${screen}`)
  if (screen !== 'files' || path === null || path === root) return screenName
  return `${visibleName(nameOf(path))} - ${screenName}`
}
