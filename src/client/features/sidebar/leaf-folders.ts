import { isWithin, type Path } from '../../../shared/domain/path.ts'
import { call } from '../../api/call.ts'
import { readSubfolders, subfoldersRequest } from '../../listing/rows/subfolders.ts'
import { pathAfter, type EntryChange } from '../../state/entry-changes.ts'
import { createPersonalStore, userSignal } from '../../state/personal.ts'
import { userOf } from '../../state/session.ts'

/** What is known about the subfolders of a folder. The preference decides which folders the server lists. */
type SubfolderFact = { readonly isLeaf: boolean; readonly hidesDotfiles: boolean }

export type SubfolderFacts = ReadonlyMap<Path, SubfolderFact>

/** The folders that were looked at. The rows of those without subfolders have no arrow in the tree. */
export const subfolderFacts = createPersonalStore<SubfolderFacts>(new Map())

const hidesDotfilesNow = (): boolean => userOf()?.hideDotfiles ?? false

/** Returns true for a folder without subfolders, false for one with subfolders, and undefined when it is not known. */
export function isLeafIn(facts: SubfolderFacts, folder: Path): boolean | undefined {
  const fact = facts.get(folder)
  return fact?.hidesDotfiles === hidesDotfilesNow() ? fact.isLeaf : undefined
}

export function rememberLeaf(folder: Path, isLeaf: boolean): void {
  if (isLeafIn(subfolderFacts.get(), folder) === isLeaf) return
  const fact: SubfolderFact = { isLeaf, hidesDotfiles: hidesDotfilesNow() }
  subfolderFacts.set((now) => new Map(now).set(folder, fact))
}

/** Forgets what is known about a folder whose content has changed. */
export function forgetLeaf(folder: Path): void {
  if (!subfolderFacts.get().has(folder)) return
  subfolderFacts.set((now) => new Map([...now].filter(([path]) => path !== folder)))
}

/** Returns the facts under the paths that the folders have after a change. Facts about deleted folders are forgotten. */
export function factsAfter(facts: SubfolderFacts, change: EntryChange): SubfolderFacts {
  const { from, to } = change
  if (from === null && to === null) return facts
  const kept = [...facts].flatMap(([path, fact]): [Path, SubfolderFact][] => {
    const isMoved = from !== null && isWithin(path, from)
    if (isMoved) return to === null ? [] : [[pathAfter(path, change), fact]]
    // A folder that was at the new path has been replaced.
    return to !== null && isWithin(path, to) ? [] : [[path, fact]]
  })
  return new Map(kept)
}

/**
 * The time in milliseconds after which the answer about a folder is not waited for. A folder with very many entries is
 * listed for so long, and keeps its arrow until it is expanded.
 */
const maxCheckMs = 2000

/**
 * Finds out whether a folder has subfolders, until `signal` is aborted. A folder that the server does not list in time
 * counts as one that has.
 */
export async function checkForSubfolders(folder: Path, signal: AbortSignal): Promise<void> {
  const untilLogout = userSignal()
  const children = await call('resources.get', {
    path: folder,
    isFolder: true,
    ...subfoldersRequest,
    signal: AbortSignal.any([signal, AbortSignal.timeout(maxCheckMs)]),
  })
    .then((response) => readSubfolders(response, 1))
    .catch(() => null)
  if (!untilLogout.aborted && !signal.aborted) rememberLeaf(folder, children?.total === 0)
}
