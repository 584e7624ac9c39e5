import { useCallback, useState } from 'react'
import { t } from '../../i18n/translate.ts'
import type { UploadJob, UploadState } from '../../state/upload-job.ts'
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
 * Lists the uploads: failures and conflicts first, then running jobs, then all other jobs. While the pointer or the focus
 * is inside, the rows keep their places, so that no other button comes under the pointer.
 */
export function UploadRows({ jobs }: { readonly jobs: readonly UploadJob[] }) {
  const [top, setTop] = useState(0)
  const [widthRem, setWidthRem] = useState(narrowRem)
  const list = useCallback((element: HTMLElement | null) => {
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setWidthRem(element.clientWidth / remPx()))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const rowRem = widthRem < narrowRem ? narrowRowRem : usualRowRem
  const { ordered, holders } = useSteadyOrder(jobs)
  const flows = ordered.length <= maxFlowingRows
  const first = flows ? 0 : Math.max(0, Math.floor(top / (rowRem * remPx())) - 2)
  const shown = flows ? ordered : ordered.slice(first, first + Math.ceil(viewRem / rowRem) + 4)
  return (
    <div
      ref={list}
      className={styles.rows}
      tabIndex={-1}
      data-part="upload-rows"
      {...holders}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <ul
        className={styles.runway}
        data-flows={flows || undefined}
        style={flows ? undefined : { height: `${ordered.length * rowRem}rem` }}
        aria-label={t('uploads.title')}
      >
        {shown.map((job, at) => (
          <li
            key={job.id}
            className={styles.place}
            style={flows ? undefined : { top: `${(first + at) * rowRem}rem` }}
            aria-posinset={first + at + 1}
            aria-setsize={ordered.length}
          >
            <UploadRow job={job} />
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Returns the jobs in the order of the list, and the listeners that keep this order while the user is in the list. */
function useSteadyOrder(jobs: readonly UploadJob[]) {
  const [holds, setHolds] = useState({ pointer: false, focus: false })
  const [kept, setKept] = useState<readonly number[] | null>(null)
  const ordered = kept === null ? inOrder(jobs) : inKeptOrder(jobs, kept)
  const hold = (next: Partial<typeof holds>): void => {
    const now = { ...holds, ...next }
    setHolds(now)
    if (!now.pointer && !now.focus) setKept(null)
    else if (kept === null) setKept(ordered.map(({ id }) => id))
  }
  const holders = {
    onPointerEnter: () => hold({ pointer: true }),
    onPointerLeave: () => hold({ pointer: false }),
    onFocus: () => hold({ focus: true }),
    onBlur: () => hold({ focus: false }),
  }
  return { ordered, holders }
}

/** Returns the jobs in the order of the ids, and then further jobs. */
function inKeptOrder(jobs: readonly UploadJob[], ids: readonly number[]): readonly UploadJob[] {
  const left = new Map(jobs.map((job) => [job.id, job]))
  const kept: UploadJob[] = []
  for (const id of ids) {
    const job = left.get(id)
    if (job !== undefined && left.delete(id)) kept.push(job)
  }
  return [...kept, ...inOrder([...left.values()])]
}

/**
 * Sorts jobs by the rank of their state. Jobs of the same rank keep the order in which they were added. The function
 * needs only one pass, because up to 100,000 jobs are sorted ten times a second.
 */
function inOrder(jobs: readonly UploadJob[]): readonly UploadJob[] {
  const groups: UploadJob[][] = Object.keys(rank).map(() => [])
  for (const job of jobs) groups[rank[job.state]]?.push(job)
  return groups.flat()
}
