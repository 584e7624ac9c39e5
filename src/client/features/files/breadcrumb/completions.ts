import { pathOf, type Path } from '../../../../shared/domain/path.ts'

/** A typed path, divided for completion: the folder that is already complete, and the beginning of the next name. */
export type TypedPath = {
  /** The typed text up to and including the last slash. */
  readonly base: string
  /** The folder that `base` names, or null when `base` is not a valid path. */
  readonly folder: Path | null
  readonly prefix: string
}

export function typedPathOf(text: string): TypedPath {
  const at = text.lastIndexOf('/') + 1
  const base = text.slice(0, at)
  return { base, folder: pathOf(base), prefix: text.slice(at) }
}

/** The maximum number of suggestions. A longer list would not help, because typing more letters shortens it. */
const maxSuggestions = 50

/**
 * Returns the names that begin with the typed letters, without regard to case. When the only such name is typed in full,
 * there is nothing to suggest.
 */
export function suggestionsFor(names: readonly string[], prefix: string): readonly string[] {
  const start = prefix.toLocaleLowerCase()
  const matches = names.filter((name) => name.toLocaleLowerCase().startsWith(start))
  return matches.length === 1 && matches[0] === prefix ? [] : matches.slice(0, maxSuggestions)
}
