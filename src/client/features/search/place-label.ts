import { namesOf, type Path } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { textOfNames } from '../../ui/direction/text-of-names.ts'

/** Returns the names of the folders that lead from the searched folder to a result. */
export const placeNames = ({ folder }: ListedEntry, searched: Path): readonly string[] =>
  folder === undefined ? [] : namesOf(folder).slice(namesOf(searched).length)

/** Returns the folder of a result as a text for screen readers, as `PathText` shows it. */
export const placeLabel = (entry: ListedEntry, searched: Path): string =>
  textOfNames(placeNames(entry, searched))
