import type { ColumnsSummary } from '../rows/columns.ts'
import { currentRows, type FolderRows } from '../rows/folder-rows.ts'
import { type GridGeometry, type GridSection, rowsBetween, type TileRows } from '../grid/geometry.ts'
import type { Listing } from '../grid/listing.ts'
import { moveInPlace } from './move-in-place.ts'
import type { Proportions } from '../taken/taken-times.ts'
import { maxTiles, type CardMetrics, type PlacingMode, type TileLayout } from './tile-layout.ts'

/** The proportions of a tile. A longer or higher picture has room above and below, or at its sides. */
const [minRatio, maxRatio] = [0.4, 3]

/** The proportions of most films, which the server does not measure. */
const filmRatio = 16 / 9

/**
 * The longest side of a tile for which the small preview of 512 pixels is sharp enough, in pixels of the screen. One that is enlarged by a
 * quarter looks like the picture, and the next size has four times the pixels.
 */
const maxSmallPreviewPx = 640

/** The target is the size of an equal tile where that is at most this multiple of the chosen size, as on a phone. */
const maxGrowth = 1.05

/** Returns the height of rows for a chosen size. */
const targetOf = ({ width, minWidth }: CardMetrics): number =>
  width <= minWidth * maxGrowth ? width : minWidth

/** The multiple of the target up to which a row counts as full. Sums of proportions are not exact. */
const tolerance = 1.0001

/** The tiles of the beginning of a folder, which stay where they are while proportions of the others are added. */
export type KeptTiles = {
  readonly listing: object
  readonly summary: ColumnsSummary
  /** The index of the first row that may move. */
  readonly end: number
  /** The present places. Null for equal tiles, which have grown until they fill the line. */
  readonly tiles: Pick<TileRows, 'ratios' | 'target'> | null
}

/**
 * Lays out a gallery by the proportions of its pictures: all tiles anew, or in place. Then tiles that are visible stay where they are, with
 * those above and those of the next screen, unless the rows change with the layout, and the row with the focus stays in any case.
 */
export function placeTiles(listing: Listing, proportions: Proportions, mode: PlacingMode): void {
  const kept = mode === 'anew' ? null : keptTilesOf(listing)
  const place = (): void => listing.tiles.set(createTileLayout(proportions, kept))
  if (mode === 'anew') place()
  else moveInPlace(listing, place)
}

/** Returns the tiles that are visible, with those above and those of the next screen. Null while the tiles are not placed. */
function keptTilesOf({ grid, columns }: Listing): KeptTiles | null {
  const handle = grid.current
  const element = handle?.element()
  // The tiles are transparent until they are placed.
  if (!handle || !element || getComputedStyle(element).opacity === '0') return null
  const geometry = handle.geometry()
  const listing = columns.get()
  const { end } = rowsBetween(geometry, 0, handle.topPx() + 2 * element.clientHeight)
  return { listing, summary: listing.summary.get(), end, tiles: geometry.tiles ?? null }
}

/**
 * Returns true when the proportions of all pictures on the first two screens are known. In a gallery by date, the times of further pictures
 * may put them there.
 */
export function knowsFirstTiles({ grid, columns }: Listing, proportions: Proportions): boolean {
  const handle = grid.current
  const element = handle?.element()
  const { sortedBy, typeAt, nameAt } = currentRows(columns.get())
  if (!handle || !element || sortedBy.by === 'modified') return false
  const top = handle.topPx()
  const { first, end } = rowsBetween(handle.geometry(), top, top + 2 * element.clientHeight)
  for (let index = first; index < end; index += 1)
    if (typeAt(index) === 'image' && !proportions.has(nameAt(index))) return false
  return true
}

type LaidOut = {
  readonly listing: object
  readonly summary: ColumnsSummary
  readonly sizes: string
  readonly geometry: GridGeometry
}

/**
 * Creates the layout of the files of a gallery by the proportions of the pictures. Files that are no picture, and pictures of unknown
 * proportions, are squares. The tiles of `kept` stay until the rows or the sizes of the view change, when everything moves anyway.
 */
export function createTileLayout(proportions: Proportions, kept?: KeptTiles | null): TileLayout {
  let last: LaidOut | null = null
  let [ratios, hasKept]: [Float32Array, boolean] = [new Float32Array(), false]
  const targetFor = (card: CardMetrics): number =>
    hasKept && kept ? (kept.tiles?.target ?? card.width) : targetOf(card)
  return {
    layOut(even, rows, card) {
      // The first rendering of the next folder still has the layout of the one before.
      if (even.total > maxTiles) return even
      const { listing, summary } = rows
      const first = summary.folders
      const sizes = JSON.stringify([card, even.columns, even.sections])
      const isSameRows = last !== null && last.listing === listing && last.summary === summary
      if (isSameRows && last?.sizes === sizes) return last.geometry
      if (!isSameRows || hasKept) {
        ratios = ratiosOf(rows, proportions)
        hasKept = last === null && kept?.listing === listing && kept.summary === summary
        if (hasKept && kept) keep(ratios, kept, first)
      }
      const geometry =
        first < even.total && even.columns > 1
          ? withTiles(even, { card, first, ratios, target: targetFor(card) })
          : even
      last = { listing, summary, sizes, geometry }
      return geometry
    },
  }
}

function ratiosOf(
  { summary: { folders, total }, nameAt, typeAt }: FolderRows,
  known: Proportions,
): Float32Array {
  const ratios = new Float32Array(total - folders).fill(1)
  for (let index = folders; index < total; index += 1) {
    const type = typeAt(index)
    const ratio = type === 'image' ? known.get(nameAt(index)) : type === 'video' ? filmRatio : undefined
    if (ratio !== undefined) ratios[index - folders] = Math.min(Math.max(ratio, minRatio), maxRatio)
  }
  return ratios
}

function keep(ratios: Float32Array, { end, tiles }: KeptTiles, first: number): void {
  const count = Math.max(end - first, 0)
  if (tiles === null) ratios.fill(1, 0, count)
  else ratios.set(tiles.ratios.subarray(0, count))
}

type TileFacts = {
  readonly card: CardMetrics
  /** The height to which rows come as close as they can. */
  readonly target: number
  /** The index of the first file. */
  readonly first: number
  readonly ratios: Float32Array
}

/** The rows of tiles: for each one its first tile, its top, its distance to the next row, and the height of its pictures. */
type Lines = {
  count: number
  readonly first: Uint32Array
  readonly top: Float64Array
  readonly step: Float32Array
  readonly height: Float32Array
}

/** Places the files of all sections below the folders of a geometry. Takes time in proportion to the number of files. */
function withTiles(even: GridGeometry, facts: TileFacts): GridGeometry {
  const { first, ratios } = facts
  const size = ratios.length
  const lines: Lines = {
    count: 0,
    first: new Uint32Array(size + 1),
    top: new Float64Array(size),
    step: new Float32Array(size),
    height: new Float32Array(size),
  }
  const starts = new Float32Array(size)
  const folders = even.sections.filter((section) => section.first < first)
  const files = even.sections.filter((section) => section.first >= first)
  let end = files[0]?.headingTop ?? files[0]?.top ?? 0
  const sections = files.map((section) => {
    const headingTop = section.headingTop === null ? null : end
    const top = end + (section.headingTop === null ? 0 : section.top - section.headingTop)
    const firstLine = lines.count
    end = placeSection(section, top, { ...facts, even, lines, starts })
    return { ...section, top, headingTop, firstLine }
  })
  lines.first[lines.count] = size
  return {
    ...even,
    sections: [...folders, ...sections] as unknown as GridGeometry['sections'],
    height: end,
    tiles: tileRowsOf({ ...facts, even, folders, lines, starts }),
  }
}

type Placing = TileFacts & {
  readonly even: GridGeometry
  readonly lines: Lines
  /** The distance of each tile from the start of its line. */
  readonly starts: Float32Array
}

/**
 * Fills rows with the tiles of a section, one after the other. A row ends where its height is closest to the chosen size when it fills
 * the width. The last row is not higher than this size, nor than the row above. Returns the distance of the end of the section from the start of the content.
 */
function placeSection(
  section: GridSection,
  top: number,
  { card, target, first, ratios, even, lines, starts }: Placing,
): number {
  const { width, gap, start, textHeight } = card
  const room = even.columns * (width + gap) - gap
  const lineBefore = lines.count
  const from = section.first - first
  const to = from + section.count
  let next = top
  const add = (begin: number, end: number, height: number): void => {
    const line = lines.count
    const step = Math.round(height + textHeight + gap)
    lines.first[line] = begin
    lines.top[line] = next
    lines.step[line] = step
    lines.height[line] = height
    lines.count = line + 1
    next += step
    for (let [at, x] = [begin, start]; at < end; at += 1) {
      starts[at] = x
      x += (ratios[at] ?? 1) * height + gap
    }
  }
  let [begin, sum] = [from, 0]
  for (let at = from; at < to;) {
    const ratio = ratios[at] ?? 1
    const heightWithout = (room - (at - begin - 1) * gap) / sum
    const height = (room - (at - begin) * gap) / (sum + ratio)
    const isFull = height <= target * tolerance
    if (isFull && at > begin && height * heightWithout < target * target) {
      add(begin, at, heightWithout)
      ;[begin, sum] = [at, 0]
      continue
    }
    at += 1
    sum += ratio
    if (!isFull) continue
    add(begin, at, height)
    ;[begin, sum] = [at, 0]
  }
  const above = lines.count > lineBefore ? lines.height[lines.count - 1] : undefined
  if (begin < to) add(begin, to, Math.min(target, above ?? target))
  return next
}

/** Returns the last line that begins at a tile or at a distance from the start of the content, or before it. */
function lineAt(lines: Lines, from: 'first' | 'top', value: number): number {
  let [low, high] = [0, lines.count - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((lines[from][middle] ?? 0) <= value) low = middle
    else high = middle - 1
  }
  return low
}

type PlacedTiles = Placing & { readonly folders: readonly GridSection[] }

function tileRowsOf({ even, card, target, first, ratios, lines, starts, folders }: PlacedTiles): TileRows {
  const { columns, total } = even
  const folderLines = Math.ceil(first / columns)
  const [folderSection] = folders
  const foldersOnly = folderSection && { columns, sections: [folderSection] as const }
  const isLarge = (ratio: number): boolean =>
    Math.max(ratio, 1) * targetOf(card) * devicePixelRatio > maxSmallPreviewPx
  const tileAt: TileRows['tileAt'] = (index) => {
    const at = index - first
    if (at < 0 || index >= total) return undefined
    const line = lineAt(lines, 'first', at)
    const height = lines.height[line] ?? 0
    const ratio = ratios[at] ?? 1
    return {
      top: lines.top[line] ?? 0,
      step: lines.step[line] ?? 0,
      start: starts[at] ?? 0,
      width: ratio * height,
      height: height + card.textHeight,
      size: isLarge(ratio) ? 'big' : 'tile',
    }
  }
  const middleOf = (index: number): number => {
    const tile = tileAt(index)
    const folderStart = card.start + (index % columns) * (card.width + card.gap)
    return tile === undefined ? folderStart + card.width / 2 : tile.start + tile.width / 2
  }
  return {
    ratios,
    target,
    tileAt,
    rowsBetween(top, bottom) {
      const above = foldersOnly ? rowsBetween(foldersOnly, top, bottom) : { first: 0, end: 0 }
      let line = lineAt(lines, 'top', top)
      if ((lines.top[line] ?? 0) + (lines.step[line] ?? 0) <= top) line += 1
      let last = lineAt(lines, 'top', bottom)
      if ((lines.top[last] ?? 0) >= bottom) last -= 1
      if (last < line || line >= lines.count) return above
      const begin = first + (lines.first[line] ?? 0)
      return { first: above.end > 0 ? above.first : begin, end: first + (lines.first[last + 1] ?? 0) }
    },
    rowByLines(index, count) {
      const own =
        index < first ? Math.floor(index / columns) : folderLines + lineAt(lines, 'first', index - first)
      const line = Math.min(Math.max(own + count, 0), folderLines + lines.count - 1)
      if (line === own) return index
      const isFolder = line < folderLines
      const begin = isFolder ? line * columns : first + (lines.first[line - folderLines] ?? 0)
      const end = isFolder
        ? Math.min(begin + columns, first)
        : first + (lines.first[line - folderLines + 1] ?? 0)
      const middle = middleOf(index)
      let nearest = begin
      for (let at = begin + 1; at < end; at += 1)
        if (Math.abs(middleOf(at) - middle) < Math.abs(middleOf(nearest) - middle)) nearest = at
      return nearest
    },
  }
}
