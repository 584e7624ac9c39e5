import { faultOfNewName } from '../../shared/domain/names.ts'
import { parentOf, pathOf, type Path } from '../../shared/domain/path.ts'
import type { NameConflict } from '../state/conflict-queue.ts'
import type { NewUpload } from '../state/upload-job.ts'
import type { ConflictChoice } from '../state/upload-queue.ts'

/**
 * A chosen or dropped file, or an empty folder, for which `file` is null. `names` are the path segments below the
 * target folder.
 */
export type UploadItem = { readonly names: readonly string[]; readonly file: Blob | null }

export type UploadPlan = {
  readonly jobs: readonly NewUpload[]
  /** The indexes of the jobs whose name is already taken, in the order of `conflicts`. */
  readonly taken: readonly number[]
  readonly conflicts: readonly NameConflict[]
}

/** A function that reads the names in a folder. The map's value is true for the name of a folder. */
export type FolderNamesReader = (folder: Path) => Promise<ReadonlyMap<string, boolean>>

type UploadPlanDependencies = {
  readonly namesIn: FolderNamesReader
  /**
   * Returns a promise to await when it is time to yield to the event loop, so that the page stays responsive with
   * 100,000 files. Returns null otherwise.
   */
  readonly breathe: () => Promise<void> | null
}

/**
 * Converts items to upload jobs and finds conflicts with existing names. Each existing target folder is listed once.
 */
export async function planUpload(
  { namesIn, breathe }: UploadPlanDependencies,
  target: Path,
  items: readonly UploadItem[],
): Promise<UploadPlan> {
  const namesOf = createNamesCache(namesIn, target)
  const jobs: NewUpload[] = []
  const taken: number[] = []
  const conflicts: NameConflict[] = []
  for (const item of items) {
    const job = jobOf(target, item)
    const folder = parentOf(job.path)
    const existingIsFolder = job.fault ? undefined : (await namesOf(folder)).get(job.name)
    if (existingIsFolder === false && item.file !== null) {
      taken.push(jobs.length)
      conflicts.push({ cause: 'upload', folder, name: job.name })
    }
    jobs.push(existingIsFolder === true && item.file !== null ? { ...job, fault: 'is-a-folder' } : job)
    await breathe()
  }
  return { jobs, taken, conflicts }
}

/** Returns the jobs to send after the user's choices. Returns no jobs when one of the choices is `cancel`. */
export function jobsAfterChoices(plan: UploadPlan, choices: readonly ConflictChoice[]): readonly NewUpload[] {
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

/**
 * Creates a reader that caches the names of each folder. A folder that does not exist yet has no names and is not
 * requested from the server.
 */
function createNamesCache(namesIn: FolderNamesReader, target: Path): FolderNamesReader {
  const cache = new Map<Path, ReturnType<FolderNamesReader>>()
  const noNames: ReadonlyMap<string, boolean> = new Map()

  async function readNames(folder: Path): ReturnType<FolderNamesReader> {
    if (folder === target) return namesIn(folder)
    const siblings = await namesOf(parentOf(folder))
    return siblings.get(folder.slice(folder.lastIndexOf('/') + 1)) === true ? namesIn(folder) : noNames
  }
  function namesOf(folder: Path): ReturnType<FolderNamesReader> {
    const names = cache.get(folder) ?? readNames(folder)
    cache.set(folder, names)
    return names
  }
  return namesOf
}
