import type { ComponentType } from 'react'
import type { ListedEntry } from '../../state/listed-entry.ts'

/** The part of the client that renders the pictures in a folder, and the number of its entries. It is loaded after the first rows. */
export type FolderCoverPart = ComponentType<{
  readonly entry: ListedEntry
  readonly className: string | undefined
}>
