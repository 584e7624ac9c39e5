import type { CSSProperties } from 'react'
import type { SortKey } from '../../../shared/domain/sorting.ts'
import type { PlainMessageId } from '../../i18n/translate.ts'
import { createDeviceStore } from '../../state/device/device-store.ts'
import { useStore } from '../../state/store.ts'

/** The column by which rows are sorted. Only the results of a search have the column of their folders. */
export type ColumnKey = SortKey | 'folder'

/** A column whose width users change. The server sorts by all of them except the type. */
export type SizedColumn = SortKey | 'type'

/** The order of the rows, as the headings show it. */
export type HeadingOrder = { readonly by: ColumnKey; readonly descending: boolean }

/** A column of the list, with the id of its heading. */
export type ListColumn =
  | { readonly by: ColumnKey; readonly label: PlainMessageId }
  | { readonly by: 'type'; readonly label: PlainMessageId }

/** The columns of the list, in the order on screen. */
export const listColumns = [
  { by: 'name', label: 'listing.name' },
  { by: 'type', label: 'prompt.info.type' },
  { by: 'size', label: 'listing.size' },
  { by: 'modified', label: 'listing.modified' },
] as const satisfies readonly ListColumn[]

/** Returns true for a column by which the rows can be sorted. */
export const isSortable = <T extends ListColumn>(column: T): column is Exclude<T, { by: 'type' }> =>
  column.by !== 'type'

/**
 * The widths of the list's columns on this device, as the value of `grid-template-columns` for the check box and the
 * columns. `resize-column.ts` reads and writes widths; the style sheet has the initial widths. An invalid value that
 * somebody stored is ignored by the browser.
 */
export const columnTracks = createDeviceStore<string>('column-widths', '', () => true)

/** Returns the custom property with the widths of the list's columns. */
export const useColumnStyle = (): CSSProperties =>
  ({ '--columns': useStore(columnTracks) || undefined }) as CSSProperties
