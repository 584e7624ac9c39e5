import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { formatMonth } from '../../i18n/format.ts'
import { formatterFor } from '../../i18n/locale.ts'
import { t } from '../../i18n/translate.ts'
import type { GridHandle, Listing } from '../grid/listing.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { isRightToLeft } from '../../ui/direction/direction.ts'
import { type MonthMark, monthAfterKey, monthAt, monthMarksOf, yearMarksOf } from './month-marks.ts'
import styles from './month-scrubber.module.css'

type MonthScrubberProps = { readonly listing: Listing; readonly rows: FolderRows }

/** The content from which a scrubber is worth its place: its months, and its height as a multiple of the height of the view. */
const minMonths = 3
const minViews = 4

/** The distance of two labels of years, in the size of the text. A label is 1.25 times as high as its text of 0.75 rem. */
const labelDistanceRem = 1.75

/** The time in milliseconds after the last scroll event for which the years stay. */
const activeMs = 1200

const formatYear = (timeMs: number): string =>
  formatterFor('year', (tag) => new Intl.DateTimeFormat(tag, { year: 'numeric' })).format(timeMs)

/** The track beside the rows, in CSS pixels, and the months of the content. */
type Track = {
  readonly top: number
  readonly height: number
  /** The distance from the end of the line, behind the scroll bar of the browser. */
  readonly end: number
  readonly contentHeight: number
  /** The number of labels for which the track has room. */
  readonly labels: number
  readonly months: readonly MonthMark[]
}

/**
 * Renders a scroll bar beside a long gallery that is sorted by date. It names the month at the pointer, and the years while it is
 * used. Its keys go by months and years.
 */
export function MonthScrubber({ listing, rows }: MonthScrubberProps) {
  const track = useTrack(listing, rows)
  return track === null ? null : <Scrubber listing={listing} track={track} />
}

function Scrubber({ listing, track }: { readonly listing: Listing; readonly track: Track }) {
  const { months, contentHeight, labels } = track
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const [pointed, setPointed] = useState<number | null>(null)
  useScroll(listing, track, { bar, onMonth: setCurrent })
  const shown = pointed ?? current
  const onPointerMove = (event: PointerEvent): void => {
    const topPx = placeOf(event) * contentHeight
    setPointed(monthAt(months, topPx))
    bar.current?.style.setProperty('--pointed', `${placeOf(event)}`)
    if (event.currentTarget.hasPointerCapture(event.pointerId)) listing.grid.current?.scrollTo(topPx)
  }
  const onPointerDown = (event: PointerEvent): void => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    onPointerMove(event)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const grid = listing.grid.current
    // The place at the time of the press: a held key is faster than the rendering.
    const month = monthAfterKey(event.key, months, monthAt(months, grid?.topPx() ?? 0))
    if (month === null) return
    grid?.scrollTo(month.topPx)
    event.preventDefault()
    event.stopPropagation()
  }
  // The role has the keys of a scroll bar: the one down goes down the page, and its value grows.
  const scrollBar = {
    role: 'scrollbar',
    'aria-label': t('listing.months'),
    'aria-controls': listing.id,
    'aria-orientation': 'vertical',
    'aria-valuemin': 0,
    'aria-valuemax': months.length - 1,
    'aria-valuenow': current,
    'aria-valuetext': formatMonth(months[current]?.timeMs ?? 0),
    tabIndex: 0,
    onKeyDown,
    onPointerDown,
    onPointerMove,
    onPointerLeave: () => setPointed(null),
  } as const
  return (
    <div
      ref={bar}
      className={styles.place}
      style={styleOf({
        insetBlockStart: track.top,
        insetInlineEnd: track.end,
        blockSize: track.height,
        '--labels': labels,
      })}
    >
      <div className={styles.scrubber} data-pointed={pointed !== null || undefined} {...scrollBar}>
        {yearMarksOf(months, { contentHeight, labels }).map(({ timeMs, place }) => (
          <span key={timeMs} className={styles.year} style={styleOf({ '--place': place })}>
            {formatYear(timeMs)}
          </span>
        ))}
        <span className={styles.thumb} />
        <span className={styles.month}>{formatMonth(months[shown]?.timeMs ?? 0)}</span>
      </div>
    </div>
  )
}

/** Returns a style that also sets properties of the style sheet. */
const styleOf = (style: CSSProperties & Readonly<Record<`--${string}`, number>>): CSSProperties => style

/** Returns the place of the pointer on the track, from 0 to 1. */
function placeOf({ currentTarget, clientY }: PointerEvent): number {
  const { top, height } = currentTarget.getBoundingClientRect()
  return Math.min(1, Math.max(0, (clientY - top) / height))
}

/** Measures the track whenever the rows, their view or the size of the window change. Null without a long gallery by date. */
function useTrack(listing: Listing, rows: FolderRows): Track | null {
  const [track, setTrack] = useState<Track | null>(null)
  const isByDate = rows.sortedBy.by === 'modified' && rows.summary.total > 0
  useLayoutEffect(() => {
    const scroller = listing.grid.current?.element()
    const content = scroller?.querySelector('[role="rowgroup"]')
    if (rows.sortedBy.by !== 'modified' || !scroller || !content) return undefined
    const observer = new ResizeObserver(() => {
      const grid = listing.grid.current
      setTrack(grid === null ? null : trackOf(grid, scroller))
    })
    observer.observe(scroller)
    observer.observe(content)
    return () => observer.disconnect()
  }, [listing, rows])
  return isByDate ? track : null
}

function trackOf(grid: GridHandle, scroller: HTMLElement): Track | null {
  const { height: contentHeight } = grid.geometry()
  const months = monthMarksOf(grid.geometry())
  const {
    offsetTop: top,
    offsetLeft,
    offsetWidth,
    clientWidth,
    clientHeight: height,
    offsetParent,
  } = scroller
  if (months.length < minMonths || contentHeight < minViews * height) return null
  const beside = isRightToLeft() ? offsetLeft : (offsetParent?.clientWidth ?? 0) - offsetLeft - offsetWidth
  const end = beside + offsetWidth - clientWidth
  const labels = height / (labelDistanceRem * remPx())
  return { top, height, end, contentHeight, labels, months }
}

/** Returns the size of the text that the user has chosen in the browser, in CSS pixels. */
const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

type ScrollOptions = {
  readonly bar: { readonly current: HTMLElement | null }
  readonly onMonth: (index: number) => void
}

/** Moves the thumb with the content, and shows the years for a while. */
function useScroll(
  listing: Listing,
  { contentHeight, months }: Track,
  { bar, onMonth }: ScrollOptions,
): void {
  useEffect(() => {
    const scroller = listing.grid.current?.element()
    let timer: ReturnType<typeof setTimeout> | undefined
    const follow = (): void => {
      const topPx = listing.grid.current?.topPx() ?? 0
      bar.current?.style.setProperty('--at', `${topPx / contentHeight}`)
      onMonth(monthAt(months, topPx))
    }
    const onScroll = (): void => {
      follow()
      clearTimeout(timer)
      bar.current?.setAttribute('data-active', '')
      timer = setTimeout(() => bar.current?.removeAttribute('data-active'), activeMs)
    }
    follow()
    scroller?.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      clearTimeout(timer)
      scroller?.removeEventListener('scroll', onScroll)
    }
  }, [listing, contentHeight, months, bar, onMonth])
}
