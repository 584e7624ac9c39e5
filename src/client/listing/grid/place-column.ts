import type { ReactNode } from 'react'
import type { ListedEntry } from '../../state/listed-entry.ts'

/** A column that only some lists have. */
export type PlaceColumn = {
  readonly render: (entry: ListedEntry) => ReactNode
  /** Returns the content of the cell as a text for screen readers. */
  readonly textOf: (entry: ListedEntry) => string
}
