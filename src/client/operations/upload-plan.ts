import { faultOfNewName } from '../../shared/domain/names.ts'
import { typeOfName } from '../../shared/domain/file-kind.ts'
import { childOf, parentOf, pathOf, type Path } from '../../shared/domain/path.ts'
import type { NameConflict } from '../state/conflicts/name-conflict.ts'
import type { ComparedEntry } from '../state/listed-entry.ts'
import type { ConflictChoice, NewUpload, RefusedUploadName } from '../state/upload-job.ts'
import { conflictOfUpload } from './conflict-of.ts'

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

/** A function that reads the entries of a folder by their names. */
export type FolderNamesReader = (folder: Path) => Promise<ReadonlyMap<string, ComparedEntry>>

type UploadPlanDependencies = {
  readonly namesIn: FolderNamesReader
  /**
   * Returns a promise to await when it is time to yield to the event loop, so that the page stays responsive with
   * 100,000 files. Returns null otherwise.
   */
  readonly yieldIfDue: () => Promise<void> | null
  /** Aborted when the user cancels. */
  readonly signal: AbortSignal
}

/**
 * Converts items to upload jobs and finds conflicts with existing names. Each existing target folder is listed once.
 * Throws the reason of the signal when the user cancels.
 */
export async function planUpload(
  { namesIn, yieldIfDue, signal }: UploadPlanDependencies,
  target: Path,
  items: readonly UploadItem[],
): Promise<UploadPlan> {
  const namesOf = createNamesCache(namesIn, target)
  const jobs: NewUpload[] = []
  const taken: number[] = []
  const conflicts: NameConflict[] = []
  for (const item of items) {
    signal.throwIfAborted()
    const job = jobOf(target, item)
    const folder = parentOf(job.path)
    const existing = job.fault || item.file === null ? noNames : await namesOf(folder)
    const conflict = conflictOfUpload(existing, {
      verb: 'upload',
      folder,
      name: job.name,
      source: factsOf(job),
      sentFrom: job.file,
    })
    const isTakenByFolder = conflict?.existing?.isFolder === true
    if (conflict !== null && !isTakenByFolder) {
      taken.push(jobs.length)
      conflicts.push(conflict)
    }
    jobs.push(isTakenByFolder ? { ...job, fault: 'is-a-folder' } : job)
    await yieldIfDue()
  }
  return { jobs, taken, conflicts }
}

/**
 * Returns the jobs for the queue after the user's choices. Returns no jobs when one of the choices is `cancel`.
 */
export function jobsAfterChoices(plan: UploadPlan, choices: readonly ConflictChoice[]): readonly NewUpload[] {
  if (choices.includes('cancel')) return []
  const choiceOf = new Map(plan.taken.map((job, at) => [job, choices[at]]))
  const conflictAt = new Map(plan.taken.map((job, at) => [job, plan.conflicts[at]]))
  return plan.jobs.flatMap((job, at) => {
    const choice = choiceOf.get(at)
    const conflict = conflictAt.get(at)
    if (choice === 'skip') return { ...job, isSkipped: true }
    if (choice === 'rename' && conflict) return renamedJob(job, conflict, conflict.freeName)
    if (choice !== 'overwrite') return job
    return { ...(conflict === undefined ? job : renamedJob(job, conflict, conflict.name)), overwrite: true }
  })
}

/** Returns the job with another name: a free one, or the name of the existing file that is replaced. */
function renamedJob(job: NewUpload, { folder }: NameConflict, name: string | null): NewUpload {
  const path = name === null ? null : childOf(folder, name)
  return path === null || name === null ? { ...job, fault: 'bad-name' } : { ...job, path, name }
}

/** Returns the size and time of a file, which the dialog about conflicts shows. */
export const factsOf = ({ name, file }: Pick<NewUpload, 'name' | 'file'>): ComparedEntry => ({
  isFolder: false,
  type: typeOfName(name) ?? 'blob',
  sizeBytes: file?.size ?? 0,
  modifiedMs: file instanceof File ? file.lastModified : Date.now(),
})

function jobOf(target: Path, { names, file }: UploadItem): NewUpload {
  const name = names.at(-1) ?? ''
  const path = pathOf(`${target}/${names.join('/')}`)
  const refusedName = refusedNameIn(names) ?? (path === null ? { name, fault: 'too-deep' as const } : null)
  const job = { target, path: path ?? target, name, file, overwrite: false }
  return refusedName === null ? job : { ...job, fault: 'bad-name', refusedName }
}

/** Returns the first name that new entries cannot have, or null. */
function refusedNameIn(names: readonly string[]): RefusedUploadName | null {
  for (const name of names) {
    const fault = faultOfNewName(name)
    if (fault !== null) return { name, fault }
  }
  return null
}

const noNames: ReadonlyMap<string, ComparedEntry> = Object.freeze(new Map<string, ComparedEntry>())

/**
 * Creates a reader that caches the names of each folder. A folder that does not exist yet has no names and is not
 * requested from the server.
 */
function createNamesCache(namesIn: FolderNamesReader, target: Path): FolderNamesReader {
  const cache = new Map<Path, ReturnType<FolderNamesReader>>()

  async function readNames(folder: Path): ReturnType<FolderNamesReader> {
    if (folder === target) return namesIn(folder)
    const siblings = await namesOf(parentOf(folder))
    return siblings.get(folder.slice(folder.lastIndexOf('/') + 1))?.isFolder === true
      ? namesIn(folder)
      : noNames
  }
  function namesOf(folder: Path): ReturnType<FolderNamesReader> {
    const names = cache.get(folder) ?? readNames(folder)
    cache.set(folder, names)
    return names
  }
  return namesOf
}
