import type { ComponentType } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'

/** The badges of an entry, separated by spaces: `link`, `shared`, `pinned` and `twin`. Empty when the entry has none. */
export type Badges = string

/**
 * The part of the client that marks entries with badges. It is loaded after the first rows, and replaced when the shares
 * or the pins change.
 */
export type BadgePart = {
  readonly badgesOf: (folder: Path, entry: ListedEntry) => Badges
  /** Returns the words of the badges for screen readers. */
  readonly textOf: (badges: Badges) => string
  readonly Component: ComponentType<{ readonly badges: Badges }>
}
