import { isWithin, type Path } from '../../shared/domain/path.ts'
import { call, statusOf } from '../api/call.ts'
import { readSubfolders, subfoldersRequest } from '../listing/rows/subfolders.ts'
import type { SubfolderFact } from '../listing/tree/tree-rows.ts'
import { pathAfter, type EntryChange } from '../state/entry-changes.ts'
import { createPersonalStore, userSignal } from '../state/personal.ts'
import { userOf } from '../state/session.ts'

/** The preference for dotfiles decides which folders the server lists, so a fact holds for one value of it. */
type StoredFact = SubfolderFact & { readonly hidesDotfiles: boolean }

export type SubfolderFacts = ReadonlyMap<Path, StoredFact>

/** The folders that were looked at. The rows of those without subfolders have no arrow in the tree. */
export const subfolderFacts = createPersonalStore<SubfolderFacts>(new Map())

const hidesDotfilesNow = (): boolean => userOf()?.hideDotfiles ?? false

/** Returns what is known about a folder, or undefined. */
export function factIn(facts: SubfolderFacts, folder: Path): SubfolderFact | undefined {
  const fact = facts.get(folder)
  return fact?.hidesDotfiles === hidesDotfilesNow() ? fact : undefined
}

export function rememberLeaf(folder: Path, isLeaf: boolean): void {
  const known = factIn(subfolderFacts.get(), folder)
  if (known?.isLeaf === isLeaf && !known.isStale) return
  const fact: StoredFact = { isLeaf, isStale: false, hidesDotfiles: hidesDotfilesNow() }
  subfolderFacts.set((now) => new Map(now).set(folder, fact))
}

/** Lets the tree look again at a folder whose content has changed. Its row stays as it is until the answer has come. */
export function markStale(folder: Path): void {
  const fact = subfolderFacts.get().get(folder)
  if (fact !== undefined && !fact.isStale)
    subfolderFacts.set((now) => new Map(now).set(folder, { ...fact, isStale: true }))
}

/** Returns the facts under the paths that the folders have after a change. Facts about deleted folders are forgotten. */
export function factsAfter(facts: SubfolderFacts, change: EntryChange): SubfolderFacts {
  const { from, to } = change
  const isConcerned = (path: Path): boolean =>
    [from, to].some((changed) => changed !== null && isWithin(path, changed))
  if (![...facts.keys()].some(isConcerned)) return facts
  const kept = [...facts].flatMap(([path, fact]): [Path, StoredFact][] => {
    const isMoved = from !== null && isWithin(path, from)
    if (isMoved) return to === null ? [] : [[pathAfter(path, change), fact]]
    // A folder that was at the new path has been replaced.
    return to !== null && isWithin(path, to) ? [] : [[path, fact]]
  })
  return new Map(kept)
}

/** The timeout of a check in milliseconds. The listing of a folder with a million entries takes longer on a slow disk. */
const maxCheckMs = 2000

/**
 * Finds out whether a folder has subfolders, until `signal` is aborted. A folder that the server does not list in time
 * counts as one that has, and one that the user may not list or that is gone as one that has not, as after an expansion. After
 * any other failure, for example of the network, nothing is known.
 */
export async function checkForSubfolders(folder: Path, signal: AbortSignal): Promise<void> {
  const untilLogout = userSignal()
  const limit = AbortSignal.timeout(maxCheckMs)
  const isLeaf = await call('resources.get', {
    path: folder,
    isFolder: true,
    ...subfoldersRequest,
    signal: AbortSignal.any([signal, limit]),
  })
    .then(async (response) => (await readSubfolders(response, 1)).total === 0)
    .catch((thrown: unknown) => (isUnreadable(thrown) ? true : limit.aborted ? false : null))
  if (isLeaf !== null && !untilLogout.aborted && !signal.aborted) rememberLeaf(folder, isLeaf)
}

/** Returns true for the failure of a request for a folder that the user may not list, or that is gone. */
export const isUnreadable = (thrown: unknown): boolean => [403, 404].includes(statusOf(thrown) ?? 0)
