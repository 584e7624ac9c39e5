import { root, type Path } from '../../../shared/domain/path.ts'
import { noUploads, type UploadCounts, type UploadJob } from '../../state/upload-job.ts'

/** A folder that is being uploaded, with the files inside. */
export type UploadFolder = {
  readonly name: string
  readonly path: Path
  readonly jobs: readonly UploadJob[]
}

/** A row of the tray: an upload of its own, or a folder with all its uploads. `key` stays the same while the row is shown. */
export type TrayRow =
  | { readonly key: string; readonly job: UploadJob }
  | { readonly key: string; readonly folder: UploadFolder }

/**
 * Returns the rows for jobs, in the order of the jobs. The files inside of an uploaded folder have one row, and each of
 * them that has failed also has a row of its own, which says why.
 */
export function trayRowsOf(jobs: readonly UploadJob[]): readonly TrayRow[] {
  const rows: TrayRow[] = []
  const insideOf = new Map<string, UploadJob[]>()
  for (const job of jobs) {
    const path = uploadedFolderOf(job)
    const inside = path === null ? undefined : insideOf.get(path)
    if (path !== null && inside === undefined) {
      const first = [job]
      insideOf.set(path, first)
      rows.push({ key: path, folder: { name: path.slice(path.lastIndexOf('/') + 1), path, jobs: first } })
    } else inside?.push(job)
    if (path === null || job.state === 'failed') rows.push({ key: String(job.id), job })
  }
  return rows
}

/** Returns the folder of the target that contains the file of a job, or null for a file directly in the target. */
function uploadedFolderOf({ path, target }: UploadJob): Path | null {
  const start = target === root ? 1 : target.length + 1
  const end = path.indexOf('/', start)
  return end < 0 ? null : (path.slice(0, end) as Path)
}

/** Returns the ids of the jobs inside of folders that are still being uploaded. Their rows count them until the end. */
export function idsInPendingFolders(rows: readonly TrayRow[]): ReadonlySet<number> {
  const pending = rows.flatMap((row) =>
    'folder' in row && progressOf(row.folder).isPending ? row.folder.jobs : [],
  )
  return new Set(pending.map(({ id }) => id))
}

/** The numbers of the jobs inside of an uploaded folder by their state, and the progress of the whole folder. */
export type FolderProgress = {
  readonly counts: UploadCounts
  /** The part of `counts` that are empty folders. */
  readonly folderCounts: UploadCounts
  /** The number of jobs, without cancelled and skipped ones. */
  readonly total: number
  readonly fraction: number
  /** True while files are being sent or will be sent. */
  readonly isPending: boolean
  /** True while nothing is sent because the user has paused all files that are left. */
  readonly isPaused: boolean
}

/** Counts what has become of the files and empty folders inside of a folder. */
export function progressOf({ jobs }: UploadFolder): FolderProgress {
  const [counts, folderCounts] = [{ ...noUploads }, { ...noUploads }]
  let [total, sent, bytes] = [0, 0, 0]
  for (const { state, file, sentBytes, sizeBytes } of jobs) {
    counts[state] += 1
    if (file === null) folderCounts[state] += 1
    if (state === 'cancelled' || state === 'skipped') continue
    total += 1
    bytes += sizeBytes
    sent += Math.min(sentBytes, sizeBytes)
  }
  const { queued, uploading, paused, conflict, done } = counts
  const fraction = bytes > 0 ? sent / bytes : done / Math.max(total, 1)
  const moving = queued + uploading + conflict
  return {
    counts,
    folderCounts,
    total,
    fraction,
    isPending: moving + paused > 0,
    isPaused: paused > 0 && moving === 0,
  }
}
