import { useCallback, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import type { UploadState } from '../../state/upload-job.ts'
import { UploadFolderRow } from './upload-folder-row.tsx'
import { progressOf, type TrayRow } from './upload-folders.ts'
import { UploadRow } from './upload-row.tsx'
import styles from './uploads.module.css'

/**
 * Up to this many rows are all rendered, each as high as its text. The rows of a longer list have one height, and only
 * those in view are rendered.
 */
const maxFlowingRows = 100
/** The heights of a row and of the view in rem, so that they follow the size of the text, as in the style sheet. */
const usualRowRem = 4
const viewRem = 20
/** A list that is narrower than this, because the text is large, has rows of the second height. */
const narrowRem = 16
const narrowRowRem = 8

const remPx = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

const rank: Readonly<Record<UploadState, number>> = {
  failed: 0,
  conflict: 1,
  uploading: 2,
  paused: 3,
  queued: 4,
  cancelled: 5,
  skipped: 6,
  done: 7,
}

/**
 * Lists the uploads and the uploaded folders in the order that they had when the tray was opened: failures and conflicts
 * first, then running jobs, then all other jobs. The rows keep their places until the tray is closed, so that nobody has
 * to search a row again.
 */
export function UploadRows({ rows }: { readonly rows: readonly TrayRow[] }) {
  const [top, setTop] = useState(0)
  const [widthRem, setWidthRem] = useState(narrowRem)
  const list = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidthRem(element.clientWidth / remPx()))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const rowRem = widthRem < narrowRem ? narrowRowRem : usualRowRem
  const ordered = useSteadyOrder(rows)
  const flows = ordered.length <= maxFlowingRows
  const first = flows ? 0 : Math.max(0, Math.floor(top / (rowRem * remPx())) - 2)
  const shown = flows ? ordered : ordered.slice(first, first + Math.ceil(viewRem / rowRem) + 4)
  return (
    <div
      ref={list}
      className={styles.rows}
      tabIndex={-1}
      data-part="upload-rows"
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <ul
        className={styles.runway}
        data-flows={flows || undefined}
        style={flows ? undefined : { height: `${ordered.length * rowRem}rem` }}
        aria-label={t('uploads.title')}
      >
        {shown.map((row, at) => (
          <li
            key={row.key}
            className={styles.place}
            style={flows ? undefined : { top: `${(first + at) * rowRem}rem` }}
            aria-posinset={first + at + 1}
            aria-setsize={ordered.length}
          >
            {'job' in row ? <UploadRow job={row.job} /> : <UploadFolderRow folder={row.folder} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

/**
 * Returns the rows in the order of their states when the list was opened, followed by those that were added since. The
 * function needs only one pass, because up to 100,000 rows are arranged ten times a second.
 */
function useSteadyOrder(rows: readonly TrayRow[]): readonly TrayRow[] {
  const [placeOf] = useState(() => new Map(inOrder(rows).map(({ key }, at) => [key, at])))
  const kept: TrayRow[] = []
  const added: TrayRow[] = []
  for (const row of rows) {
    const place = placeOf.get(row.key)
    if (place === undefined) added.push(row)
    else kept[place] = row
  }
  // The places of removed rows are empty, and `flat` leaves them out.
  return [kept, added].flat()
}

/** Sorts rows by the rank of their state. Rows of the same rank keep the order in which they were added. */
function inOrder(rows: readonly TrayRow[]): readonly TrayRow[] {
  const groups: TrayRow[][] = Object.keys(rank).map(() => [])
  for (const row of rows) groups[rankOf(row)]?.push(row)
  return groups.flat()
}

function rankOf(row: TrayRow): number {
  if ('job' in row) return rank[row.job.state]
  return progressOf(row.folder).isPending ? rank.uploading : rank.done
}
