import { isKeptTime } from '../../shared/domain/limits/modified-limit.ts'
import { typeOfName } from '../../shared/domain/file-kind.ts'
import { nameOf, namesOf, parentOf, type Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { UploadJob } from '../state/upload-job.ts'
import type { OperationContext } from './operation-context.ts'

/**
 * Minimum time between two insertions of rows. Without batches, 10,000 uploaded files would sort the folder 10,000
 * times.
 */
const batchIntervalMs = 400

/**
 * Creates a function that inserts a row into the folder on screen for each uploaded file, while further uploads are
 * still in flight.
 */
export function createUploadedRowInserter({
  openAt,
  later,
  nowMs,
}: Pick<OperationContext, 'openAt' | 'later' | 'nowMs'>) {
  let uploadedJobs = new Map<string, UploadJob>()
  let isPaused = false

  function show(): void {
    const jobs = [...uploadedJobs.values()]
    uploadedJobs = new Map()
    isPaused = true
    later(() => {
      isPaused = false
      if (uploadedJobs.size > 0) show()
    }, batchIntervalMs)
    const byFolder = Map.groupBy(jobs, ({ target }) => target)
    for (const [folder, inside] of byFolder) {
      const rows = openAt(folder)
      const entries = inside.flatMap((job) => entryOf(job, nowMs()))
      const wanted = entries.filter(({ name, isFolder }) => !isFolder || !rows?.has(name))
      if (wanted.length > 0) rows?.insert(wanted)
    }
  }
  return (job: UploadJob): void => {
    uploadedJobs.set(`${job.target}/${topOf(job.target, job.path)}`, job)
    if (!isPaused) show()
  }
}

/**
 * Returns the row of the target folder that a job has created or changed, or an empty list when the job changes no row
 * there.
 */
function entryOf(job: UploadJob, uploadedMs: number): readonly ListedEntry[] {
  const name = topOf(job.target, job.path)
  if (name === '') return []
  const isFolder = job.file === null || parentOf(job.path) !== job.target
  const type = isFolder ? '' : (typeOfName(nameOf(job.path)) ?? 'blob')
  return [
    {
      name,
      isFolder,
      type,
      isLink: false,
      isBroken: false,
      sizeBytes: isFolder ? 0 : job.sizeBytes,
      modifiedMs: (!isFolder && keptModifiedMs(job.file)) || uploadedMs,
    },
  ]
}

/**
 * Returns the time in ms since 1970 that an uploaded file keeps from the device (decision 49). Returns 0 for a time that
 * the server does not keep either.
 */
function keptModifiedMs(file: UploadJob['file']): number {
  const deviceMs = file instanceof File ? file.lastModified : 0
  return isKeptTime(deviceMs) ? deviceMs : 0
}

const topOf = (target: Path, path: Path): string => namesOf(path)[namesOf(target).length] ?? ''
