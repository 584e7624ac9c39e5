import { Fragment, useLayoutEffect, useRef, useState } from 'react'
import type { TextRange } from '../../../../listing/rows/name-match.ts'
import { MarkedText } from '../../../../ui/marked-name.tsx'
import { partsOfName, rightToLeft } from '../../../../ui/visible-name.ts'
import { shortenText } from './shorten-text.ts'

type FittedTextProps = {
  readonly text: string
  /** The parts that matched what the user has typed. They stay on screen. */
  readonly marks: readonly TextRange[]
  /** The side that is shown when not all of the text has room: the start of a name, with its extension, or the end of a path. */
  readonly keeps: 'start' | 'end'
  /** The width of the line in CSS pixels. */
  readonly widthPx: number
}

/**
 * Renders a text on one line, and leaves out parts of it that have no room. The ellipses are letters of the text, so that
 * there is no gap beside them. The browser shortens texts from right to left, whose letters only it can put in order.
 */
export function FittedText({ text, marks, keeps, widthPx }: FittedTextProps) {
  const element = useRef<HTMLElement>(null)
  const [parts, setParts] = useState<readonly TextRange[]>([])
  useLayoutEffect(() => {
    const fits = fitsIn(element.current, { text, marks, widthPx })
    const endLength = keeps === 'start' ? partsOfName(text).end.length : 0
    const next =
      fits === null ? [{ start: 0, end: text.length }] : shortenText(text, { marks, endLength, keeps, fits })
    setParts((last) => (isSame(last, next) ? last : next))
  }, [text, marks, keeps, widthPx])
  const last = parts.at(-1)
  return (
    <bdi ref={element} dir={keeps === 'end' ? 'ltr' : undefined} title={text}>
      {last === undefined && <MarkedText text={text} ranges={marks} />}
      {parts.map(({ start, end }) => (
        <Fragment key={start}>
          {start > 0 && '…'}
          <MarkedText text={text} ranges={marks} within={{ start, end }} />
        </Fragment>
      ))}
      {last !== undefined && last.end < text.length && '…'}
    </bdi>
  )
}

const isSame = (some: readonly TextRange[], others: readonly TextRange[]): boolean =>
  some.length === others.length &&
  some.every(({ start, end }, at) => start === others[at]?.start && end === others[at]?.end)

const canvas = document.createElement('canvas').getContext('2d')

/** The font weight of `mark` in `file-name.module.css`. */
const markWeight = '600'

/**
 * The maximum length of a text that is measured, in UTF-16 units. A line of the palette shows about 100. The browser
 * shortens longer texts, because measuring 50 hits whose names are full of escaped characters takes seconds.
 */
const maxMeasuredLength = 500

type Line = Pick<FittedTextProps, 'text' | 'marks' | 'widthPx'>

/** Returns the test whether parts of a text have room on a line, or null for a text that the browser shortens or wraps. */
function fitsIn(element: HTMLElement | null, { text, marks, widthPx }: Line) {
  if (element === null || canvas === null || widthPx === 0 || text.length > maxMeasuredLength) return null
  if (rightToLeft.test(text)) return null
  const { fontFamily, fontSize, fontWeight, whiteSpace } = getComputedStyle(element)
  if (whiteSpace === 'normal') return null
  const widthOf = (shown: string, weight: string): number => {
    canvas.font = `${weight} ${fontSize} ${fontFamily}`
    return canvas.measureText(shown).width
  }
  const boldPx = marks.reduce((sum, { start, end }) => {
    const mark = text.slice(start, end)
    return sum + widthOf(mark, markWeight) - widthOf(mark, fontWeight)
  }, 0)
  return (parts: readonly TextRange[]): boolean => {
    const visible = parts.map(({ start, end }) => text.slice(start, end)).join('…')
    const isCut = (parts[0]?.start ?? 0) > 0 || (parts.at(-1)?.end ?? 0) < text.length
    // One pixel for the parts of pixels that the browser rounds.
    return widthOf(isCut ? `…${visible}…` : visible, fontWeight) + boldPx + 1 <= widthPx
  }
}
