import { useState } from 'react'
import type { UploadJob, UploadState } from '../../state/upload-job.ts'
import { UploadRow } from './upload-row.tsx'
import styles from './uploads.module.css'

/** The heights of a row and of the view in CSS pixels. They must equal the heights in the style sheet. */
const rowHeight = 56
const viewHeight = 320

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
 * Lists the uploads: failures and conflicts first, then running jobs, then all other jobs. Only the rows in view are
 * rendered.
 */
export function UploadRows({ jobs }: { readonly jobs: readonly UploadJob[] }) {
  const [top, setTop] = useState(0)
  const ordered = inOrder(jobs)
  const first = Math.max(0, Math.floor(top / rowHeight) - 2)
  const shown = ordered.slice(first, first + Math.ceil(viewHeight / rowHeight) + 4)
  return (
    <div
      className={styles.rows}
      tabIndex={-1}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <ul className={styles.runway} style={{ height: ordered.length * rowHeight }}>
        {shown.map((job, at) => (
          <li key={job.id} className={styles.place} style={{ top: (first + at) * rowHeight }}>
            <UploadRow job={job} />
          </li>
        ))}
      </ul>
    </div>
  )
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
