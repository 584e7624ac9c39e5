import type { ReactNode } from 'react'
import { partsOfName, visibleName } from './visible-name.ts'
import { classNames } from './class-names.ts'
import styles from './file-name.module.css'

type MarkedRange = { readonly start: number; readonly end: number }

type MarkedNameProps = {
  readonly name: string
  /** Returns the parts of the displayed text to mark, from left to right and without overlaps. */
  readonly rangesOf: (text: string) => readonly MarkedRange[]
}

/** Renders a file name like `FileName`, with some of its parts marked. */
export function MarkedName({ name, rangesOf }: MarkedNameProps) {
  const text = visibleName(name)
  const ranges = rangesOf(text)
  const { start } = partsOfName(name)
  const cut = start.length
  return (
    <bdi className={styles.name} title={text}>
      <span className={classNames(styles.start, cut > 7 && styles.long)}>
        {markedPieces(text, ranges, { start: 0, end: cut })}
      </span>
      {cut < text.length && (
        <span className={styles.end}>{markedPieces(text, ranges, { start: cut, end: text.length })}</span>
      )}
    </bdi>
  )
}

type MarkedTextProps = {
  readonly text: string
  readonly ranges: readonly MarkedRange[]
  /** The part of the text to render. Without this option the whole text is rendered. */
  readonly within?: MarkedRange
}

/** Renders a text on one line, with some of its parts marked. */
export function MarkedText({ text, ranges, within = { start: 0, end: text.length } }: MarkedTextProps) {
  return <>{markedPieces(text, ranges, within)}</>
}

/** Returns the part of the text inside `within`, with a `mark` element around each part of it that is to be marked. */
function markedPieces(text: string, ranges: readonly MarkedRange[], within: MarkedRange): ReactNode[] {
  const pieces: ReactNode[] = []
  let at = within.start
  for (const range of ranges) {
    const start = Math.max(range.start, within.start)
    const end = Math.min(range.end, within.end)
    if (start >= end) continue
    pieces.push(
      text.slice(at, start),
      <mark key={start} className={styles.mark}>
        {text.slice(start, end)}
      </mark>,
    )
    at = end
  }
  pieces.push(text.slice(at, within.end))
  return pieces
}
