import { typeOfName } from '../../shared/domain/file-kind.ts'
import { nameOf, namesOf, parentOf, type Path } from '../../shared/domain/path.ts'
import type { ListedEntry } from '../state/listed-entry.ts'
import type { UploadJob } from '../state/upload-job.ts'
import type { Desk } from './desk.ts'

/** Rows are put in together this often: one at a time, 10,000 of them would sort the folder 10,000 times. */
const togetherMs = 400

/** Shows what has been uploaded in the folder on screen while the rest is still under way. */
export function createLandedRows({ openAt, later, nowMs }: Pick<Desk, 'openAt' | 'later' | 'nowMs'>) {
  let landed = new Map<string, UploadJob>()

  function show(): void {
    const jobs = [...landed.values()]
    landed = new Map()
    const byFolder = Map.groupBy(jobs, ({ target }) => target)
    for (const [folder, inside] of byFolder) {
      const rows = openAt(folder)
      const entries = inside.flatMap((job) => entryOf(job, nowMs()))
      const wanted = entries.filter(({ name, isFolder }) => !isFolder || !rows?.has(name))
      if (wanted.length > 0) rows?.insert(wanted)
    }
  }
  return (job: UploadJob): void => {
    if (landed.size === 0) later(show, togetherMs)
    landed.set(`${job.target}/${topOf(job.target, job.path)}`, job)
  }
}

/** The row in the target folder that a job has made or filled. */
function entryOf(job: UploadJob, modifiedMs: number): readonly ListedEntry[] {
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
      modifiedMs,
    },
  ]
}

const topOf = (target: Path, path: Path): string => namesOf(path)[namesOf(target).length] ?? ''
