import type { ComponentType } from 'react'
import type { ListedEntry } from '../../state/listed-entry.ts'

/** A folder whose cover is shown, and the class that gives the cover its place in the card. */
export type FolderCoverProps = { readonly entry: ListedEntry; readonly className: string | undefined }

/** The part of the client that renders the pictures in a folder, and the number of its entries. It is loaded after the first rows. */
export type FolderCoverPart = ComponentType<FolderCoverProps>
