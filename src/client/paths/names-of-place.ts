import { namesOf, type Path, root } from '../../shared/domain/path.ts'
import { t } from '../i18n/translate.ts'
import { textOfNames } from '../ui/direction/text-of-names.ts'

/** Returns the names in a path of the user's files, as they are displayed. Only the top folder is called *My files*. */
export const namesOfPlace = (path: Path): readonly string[] =>
  path === root ? [t('sidebar.myFiles')] : namesOf(path)

/** Returns a path of the user's files as a text, for places that have no room for a `PathLink` or a `PathText`. */
export const textOfPlace = (path: Path): string => textOfNames(namesOfPlace(path))
