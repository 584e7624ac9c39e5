import { type CSSProperties, type RefObject, useLayoutEffect, useState } from 'react'
import { density, rowHeightRem } from '../../state/device/density.ts'
import { useStore } from '../../state/store.ts'
import { useMedia } from '../../ui/measuring/use-media.ts'
import type { CardMetrics } from '../tiles/tile-layout.ts'
import type { GridView } from './grid-view.ts'
import { tileNames, tileSize } from '../sizes/tile-size.ts'
import type { Listing } from './listing.ts'

/** The sizes of a view, in CSS pixels. */
export type GridMetrics = {
  readonly columns: number
  /** True in a narrow list, whose rows have two lines of text and which has no column headings. */
  readonly isCompact: boolean
  /**
   * The distance between the tops of two consecutive lines: the height of a row, or the height of a card including the
   * gap below it.
   */
  readonly lineHeight: number
  /** The same distance for folders, which the gallery shows without pictures. */
  readonly folderLineHeight: number
  readonly headingHeight: number
  /** The empty space above the first line where no heading is. */
  readonly topPadding: number
  /** The height of the view below the column headings. */
  readonly viewHeight: number
  /** The empty space below the last line. */
  readonly padding: number
  readonly cardWidth: string | number
  readonly startOf: (column: number) => number
  /** The sizes of a card. Null in the list. */
  readonly card: CardMetrics | null
  /** The height of the column headings, which stick to the top of the view. 0 in the mosaic and the gallery. */
  readonly headerHeight: number
  readonly style: CSSProperties
}

/** Sizes in rem, so that rows and cards grow with the text. 1 rem is 16 CSS pixels unless the user changed it. */
const columnRowRem = 2.25
const touchColumnRowRem = 2.75
const touchRowRem = 3.5
/**
 * In a list that is at most this wide, each row has two lines of text. The width is also in the container queries of the
 * style sheets.
 */
const compactWidthRem = 46
/** The smallest width of a card, unless the view is narrower than two cards. */
const cardWidthRem = 13.75
/** The picture of a card is this much lower than wide, and its name and its facts are below it. */
const cardPictureRatio = 0.625
const cardTextRem = 3.75
/** The width of a phone, which is also in the container queries of the style sheets. */
const phoneWidthRem = 30
/** The smallest widths of a gallery with two and three tiles in a line. With larger text, the names of folders would have no room. */
const twoTilesRem = 8
const threeTilesRem = 19
/** The smallest width of a tile that the user can choose at the usual text size. */
const minTileRem = 7.5
const tileNameRem = 1.75
const folderTileRem = 2.75
const gapRem = 0.75
/** Pictures are close to each other, so that a gallery shows more of them than of the space between them. */
const tileGapRem = 0.375
const headingRem = 2.5
const sidePaddingRem = 1
const phonePaddingRem = 0.75
/** The largest chosen width of a tile with which a phone shows three tiles in a line. */
const maxPhoneTilePx = 240
/**
 * The height of the empty space below the last line. The space lets the user scroll the last line above the toasts that
 * cover the end of the list.
 */
export const endPaddingRem = 4.5

/** The size of the grid's element and of 1 rem, in CSS pixels. */
type MeasuredSize = { readonly width: number; readonly height: number; readonly remPx: number }

/**
 * The size that the first grid assumes until its element has been measured. With this size, the first paint has enough
 * rows for a common screen.
 */
const defaultSize: MeasuredSize = { width: 1000, height: 900, remPx: 16 }

/** The size of the grid that was measured last. The grid of the next folder mostly has the same size. */
let lastSize: MeasuredSize = defaultSize

type GridMetricsOptions = {
  readonly listing: Listing
  readonly scroller: RefObject<HTMLElement | null>
  /** An invisible element with a height of 1 rem. */
  readonly ruler: RefObject<HTMLElement | null>
  readonly view: GridView
}

/** Computes the sizes of a view from the size of its element, the size of the text and the kind of pointer. */
export function useGridMetrics({ listing, scroller, ruler, view }: GridMetricsOptions): GridMetrics {
  const size = useMeasuredSize(scroller, ruler)
  const tilePx = Number(useStore(tileSize))
  const chosenDensity = useStore(density)
  const hasNames = useStore(tileNames) === 'always'
  const isTouch = useMedia('(pointer: coarse)')
  const isFiltered = useStore(listing.filter) !== null
  const metrics = {
    list: () => listMetrics(size, isTouch ? touchRowRem : rowHeightRem[chosenDensity]),
    mosaic: () => cardMetrics(size, cardSize(size)),
    gallery: () => cardMetrics(size, tileSizeOf(size, tilePx, hasNames)),
  }[view]()
  // The other results of the search follow directly below the last line.
  return isFiltered ? { ...metrics, padding: 0 } : metrics
}

/** The smallest width of a card, the space between two cards, and the heights of the cards of files and folders, in CSS pixels. */
type CardSize = {
  readonly minWidth: number
  readonly gap: number
  readonly heightsOf: (cardWidth: number) => readonly [file: number, folder: number]
}

/** Returns the size of the cards of the mosaic. On a phone, two cards are beside each other. */
function cardSize(size: MeasuredSize): CardSize {
  const gap = gapRem * size.remPx
  return {
    minWidth: Math.min(cardWidthRem * size.remPx, partOfWidth(size, gap, 2)),
    gap,
    heightsOf: (width) => {
      const height = Math.round(width * cardPictureRatio + cardTextRem * size.remPx)
      return [height, height]
    },
  }
}

/**
 * Returns the size of the tiles of the gallery: the width that the user chose, but enough for a name in the present text size.
 * On a phone, three tiles are beside each other, and two where the user chose large tiles.
 */
function tileSizeOf(size: MeasuredSize, chosenPx: number, hasNames: boolean): CardSize {
  const { width, remPx } = size
  const gap = tileGapRem * remPx
  const isPhone = width <= phoneWidthRem * remPx
  const hasThree = isPhone && width >= threeTilesRem * remPx && chosenPx <= maxPhoneTilePx
  const most = partOfWidth(size, gap, hasThree ? 3 : width >= twoTilesRem * remPx ? 2 : 1)
  return {
    minWidth: Math.min(Math.max(chosenPx, minTileRem * remPx), most),
    gap,
    heightsOf: (tile) => [tile + (hasNames ? tileNameRem * remPx : 0), folderTileRem * remPx],
  }
}

/** Returns the width of a card at which `count` cards fit beside each other. */
const partOfWidth = (size: MeasuredSize, gap: number, count: number): number =>
  Math.floor((size.width - 2 * sidePaddingOf(size) - (count - 1) * gap) / count)

/** Returns the empty space at both sides of cards. */
const sidePaddingOf = ({ width, remPx }: MeasuredSize): number =>
  (width <= phoneWidthRem * remPx ? phonePaddingRem : sidePaddingRem) * remPx

function listMetrics({ width, height, remPx }: MeasuredSize, rowRem: number): GridMetrics {
  const isCompact = width <= compactWidthRem * remPx
  const hasTallRows = isCompact || rowRem === touchRowRem
  const headerHeight = Math.round((hasTallRows ? touchColumnRowRem : columnRowRem) * remPx)
  const lineHeight = Math.round((hasTallRows ? touchRowRem : rowRem) * remPx)
  return {
    columns: 1,
    isCompact,
    lineHeight,
    folderLineHeight: lineHeight,
    headingHeight: 0,
    topPadding: 0,
    viewHeight: Math.max(height - headerHeight, lineHeight),
    padding: endPaddingRem * remPx,
    cardWidth: '100%',
    startOf: () => 0,
    card: null,
    headerHeight,
    style: customProperties({ 'grid-header-height': headerHeight, 'line-height': lineHeight }),
  }
}

/** Computes the sizes of cards that are at least `minWidth` wide, unless the view is narrower, and fill the line. */
function cardMetrics(size: MeasuredSize, { minWidth, gap, heightsOf }: CardSize): GridMetrics {
  const { width, height, remPx } = size
  const padding = sidePaddingOf(size)
  const room = Math.max(width - 2 * padding, 1)
  const columns = Math.max(Math.floor((room + gap) / (minWidth + gap)), 1)
  const card = (room - (columns - 1) * gap) / columns
  const [fileHeight, folderHeight] = heightsOf(card)
  const lineHeight = Math.round(fileHeight + gap)
  const folderLineHeight = Math.round(folderHeight + gap)
  return {
    columns,
    isCompact: false,
    lineHeight,
    folderLineHeight,
    headingHeight: Math.round(headingRem * remPx),
    topPadding: Math.round(padding),
    viewHeight: Math.max(height, lineHeight),
    padding: endPaddingRem * remPx,
    cardWidth: card,
    startOf: (column) => padding + column * (card + gap),
    card: { width: card, minWidth, gap, start: padding, textHeight: fileHeight - card },
    headerHeight: 0,
    style: customProperties({
      'line-height': lineHeight,
      'folder-line-height': folderLineHeight,
      'card-gap': gap,
    }),
  }
}

const customProperties = (pixels: Readonly<Record<string, number>>): CSSProperties =>
  Object.fromEntries(Object.entries(pixels).map(([name, value]) => [`--${name}`, `${value}px`]))

/** Follows the inner size of an element and the size of 1 rem. */
function useMeasuredSize(
  element: RefObject<HTMLElement | null>,
  ruler: RefObject<HTMLElement | null>,
): MeasuredSize {
  const [size, setSize] = useState(lastSize)
  useLayoutEffect(() => {
    const [target, rem] = [element.current, ruler.current]
    if (target === null || rem === null) return undefined
    const measure = (): void => {
      const { clientWidth: width, clientHeight: height } = target
      const remPx = rem.getBoundingClientRect().height || defaultSize.remPx
      if (lastSize.width !== width || lastSize.height !== height || lastSize.remPx !== remPx)
        lastSize = { width, height, remPx }
      setSize(lastSize)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    observer.observe(rem)
    return () => observer.disconnect()
  }, [element, ruler])
  return size
}
