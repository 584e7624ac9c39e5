import { faultOfNewName } from '../../shared/domain/names.ts'
import { parentOf, pathOf, type Path } from '../../shared/domain/path.ts'
import type { Conflict } from '../state/conflict-desk.ts'
import type { NewUpload } from '../state/upload-job.ts'
import type { ConflictChoice } from '../state/uploads.ts'

/** One thing that a person picked or dropped: its names below the target folder, and its bytes; null for an empty folder. */
export type UploadItem = { readonly names: readonly string[]; readonly file: Blob | null }

export type UploadPlan = {
  readonly jobs: readonly NewUpload[]
  /** Which of the jobs would replace a file, in the order of `conflicts`. */
  readonly taken: readonly number[]
  readonly conflicts: readonly Conflict[]
}

/** What stands in a folder: each name, and whether it is a folder. */
export type NamesIn = (folder: Path) => Promise<ReadonlyMap<string, boolean>>

type Planning = {
  readonly namesIn: NamesIn
  /** Resolves from time to time, so that the screen stays alive among 100,000 files. */
  readonly breathe: () => Promise<void> | null
}

/** What sending these things would do. Asks for one listing per folder that exists already, and for no other. */
export async function planUpload(
  { namesIn, breathe }: Planning,
  target: Path,
  items: readonly UploadItem[],
): Promise<UploadPlan> {
  const existing = createExisting(namesIn, target)
  const jobs: NewUpload[] = []
  const taken: number[] = []
  const conflicts: Conflict[] = []
  for (const item of items) {
    const job = jobOf(target, item)
    const folder = parentOf(job.path)
    const isFolderThere = job.fault ? undefined : (await existing(folder)).get(job.name)
    if (isFolderThere === false && item.file !== null) {
      taken.push(jobs.length)
      conflicts.push({ cause: 'upload', folder, name: job.name })
    }
    jobs.push(isFolderThere === true && item.file !== null ? { ...job, fault: 'is-a-folder' } : job)
    await breathe()
  }
  return { jobs, taken, conflicts }
}

/** The jobs to send once the person has chosen; none at all when anything was cancelled. */
export function decidedJobs(plan: UploadPlan, choices: readonly ConflictChoice[]): readonly NewUpload[] {
  if (choices.includes('cancel')) return []
  const choiceOf = new Map(plan.taken.map((job, at) => [job, choices[at]]))
  return plan.jobs.flatMap((job, at) => {
    const choice = choiceOf.get(at)
    if (choice === 'skip') return []
    return choice === 'overwrite' ? { ...job, overwrite: true } : job
  })
}

function jobOf(target: Path, { names, file }: UploadItem): NewUpload {
  const name = names.at(-1) ?? ''
  const path = pathOf(`${target}/${names.join('/')}`)
  const isBad = path === null || names.some((part) => faultOfNewName(part) !== null)
  const job = { target, path: path ?? target, name, file, overwrite: false }
  return isBad ? { ...job, fault: 'bad-name' } : job
}

/** A folder is asked for only when its parent holds it: what lies in a new folder cannot be taken. */
function createExisting(namesIn: NamesIn, target: Path): NamesIn {
  const known = new Map<Path, ReturnType<NamesIn>>()
  const nothing: ReadonlyMap<string, boolean> = new Map()

  async function look(folder: Path): ReturnType<NamesIn> {
    if (folder === target) return namesIn(folder)
    const beside = await names(parentOf(folder))
    return beside.get(folder.slice(folder.lastIndexOf('/') + 1)) === true ? namesIn(folder) : nothing
  }
  function names(folder: Path): ReturnType<NamesIn> {
    const found = known.get(folder) ?? look(folder)
    known.set(folder, found)
    return found
  }
  return names
}
