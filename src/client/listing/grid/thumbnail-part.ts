import type { ComponentType } from 'react'
import type { Path } from '../../../shared/domain/path.ts'
import type { ListedEntry } from '../../state/listed-entry.ts'
import { createStore } from '../../state/store.ts'
import type { FileAppearance } from '../../ui/glyphs/file-icon.ts'
import type { GridView } from './grid-view.ts'

export type ThumbnailProps = {
  readonly entry: FileAppearance
  /** The URL of the thumbnail. */
  readonly address: string
  readonly className?: string | undefined
}

/** The part of the client that shows thumbnails. It is loaded after the first rows, which have icons until then. */
export type ThumbnailPart = {
  /** Returns the URL of an entry's thumbnail, or an empty string when the entry has no thumbnail. */
  readonly addressOf: (folder: Path, entry: ListedEntry, view: GridView) => string
  readonly Component: ComponentType<ThumbnailProps>
}

/** The part that shows thumbnails, or null while it is not loaded. */
export const thumbnailPart = createStore<ThumbnailPart | null>(null)
