/** The first row in view, and the distance of its line from the top of the view in CSS pixels. */
export type TopRow = { readonly name: string; readonly distancePx: number }

/**
 * How far a folder is scrolled, in CSS pixels, and the first row in view where rows do not stay at their positions: the tiles of a gallery
 * move when their proportions become known.
 */
export type ScrolledTo = { readonly scrollPx: number; readonly topRow?: TopRow | null | undefined }
