import '../i18n/later-texts.ts'
import { drawRubberBand } from './band/draw-rubber-band.ts'
import { RubberBandOutline } from './band/rubber-band-outline.tsx'
import { formatWord } from '../ui/kinds/format-word.ts'
import { SortMenuList } from './grid/sort-menu-list.tsx'
import { ColumnEdge } from './sizes/column-edge.tsx'
import { EntryThumbnail } from './thumbnails/entry-thumbnail.tsx'

/** The parts of lists that they need only after their first rows. */
export const listingParts = {
  ColumnEdge,
  EntryThumbnail,
  RubberBandOutline,
  SortMenuList,
  drawRubberBand,
  formatWord,
}
