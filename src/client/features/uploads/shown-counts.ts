import { totalJobsOf, type UploadState, type UploadTally } from '../../state/upload-job.ts'

/** The numbers in the texts about uploads. They count files, because users choose files and not the folders around them. */
export type ShownCounts = {
  /** The unit of `total` and `done`. Folders are counted only where nothing but empty folders is uploaded. */
  readonly unit: 'files' | 'folders'
  /** The number without cancelled and skipped ones. */
  readonly total: number
  readonly done: number
  /** The number of cancelled files, or of cancelled folders where only folders were cancelled. */
  readonly cancelled: number
  /** The number of skipped files, or of skipped folders where only folders were skipped. */
  readonly skipped: number
}

type JobCounts = Pick<UploadTally, 'counts' | 'folderCounts'>

/** Returns the numbers that texts about jobs show. */
export function shownCountsOf({ counts, folderCounts }: JobCounts): ShownCounts {
  const filesIn = (state: UploadState): number => counts[state] - folderCounts[state]
  const folders = totalJobsOf({ counts: folderCounts })
  const files = totalJobsOf({ counts }) - folders
  const unit = files === 0 && folders > 0 ? 'folders' : 'files'
  return {
    unit,
    total: unit === 'files' ? files : folders,
    done: unit === 'files' ? filesIn('done') : folderCounts.done,
    cancelled: filesIn('cancelled') || folderCounts.cancelled,
    skipped: filesIn('skipped') || folderCounts.skipped,
  }
}
