import type { GridGeometry } from '../grid/geometry.ts'

/** A month of a gallery: the time at which it begins, and the distance of its heading from the start of the content in CSS pixels. */
export type MonthMark = { readonly timeMs: number; readonly topPx: number }

/** A year beside the scrubber: its first month on screen, and the place on the track as a part of its height. */
export type YearMark = { readonly timeMs: number; readonly place: number }

/** Returns the months of a gallery that is sorted by date, in the order on screen. Other lists have none. */
export const monthMarksOf = ({ sections }: GridGeometry): readonly MonthMark[] =>
  sections.flatMap(({ title, headingTop }) =>
    typeof title === 'number' && headingTop !== null ? [{ timeMs: title, topPx: headingTop }] : [],
  )

/** Returns the index of the month that is on screen at a scroll position. Above the first month, returns 0. */
export const monthAt = (months: readonly MonthMark[], topPx: number): number =>
  Math.max(
    0,
    months.findLastIndex((month) => month.topPx <= topPx + 1),
  )

const yearOf = (timeMs: number): number => new Date(timeMs).getFullYear()

type LabelSpace = {
  readonly contentHeight: number
  /** The number of labels for which the track has room. */
  readonly labels: number
}

/** Returns the months with which a year begins, and leaves out those whose labels would touch the one before. */
export function yearMarksOf(
  months: readonly MonthMark[],
  { contentHeight, labels }: LabelSpace,
): readonly YearMark[] {
  const marks: YearMark[] = []
  for (const [at, { timeMs, topPx }] of months.entries()) {
    const before = months[at - 1]
    if (before !== undefined && yearOf(before.timeMs) === yearOf(timeMs)) continue
    const place = topPx / contentHeight
    const lastPlace = marks.at(-1)?.place ?? Number.NEGATIVE_INFINITY
    if ((place - lastPlace) * labels >= 1) marks.push({ timeMs, place })
  }
  return marks
}

/**
 * Returns the month to which a key leads from the month at an index: a month, with the keys for pages a year, or the ends. Null
 * for other keys.
 */
export function monthAfterKey(key: string, months: readonly MonthMark[], at: number): MonthMark | null {
  const last = months.length - 1
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + 12,
    PageUp: at - 12,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? null : (months[Math.min(last, Math.max(0, target))] ?? null)
}
