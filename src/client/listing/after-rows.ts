import '../i18n/later-texts.ts'
import { drawRubberBand } from './band/draw-rubber-band.ts'
import { ColumnEdge } from './sizes/column-edge.tsx'
import { EntryThumbnail } from './thumbnails/entry-thumbnail.tsx'

/** The parts of lists that they need only after their first rows. */
export const listingParts = { ColumnEdge, EntryThumbnail, drawRubberBand }
