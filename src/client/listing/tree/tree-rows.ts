import { childOf, isWithin, namesOf, parentOf, root, type Path } from '../../../shared/domain/path.ts'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { pathAfter, type EntryChange } from '../../state/entry-changes.ts'

/** The knowledge of the tree about the subfolders of one folder. */
export type SubfolderFact = {
  /** True for a folder without subfolders. */
  readonly isLeaf: boolean
  /** True when the content of the folder has changed since it was looked at. */
  readonly isStale: boolean
}

/** The number of subfolders that the tree shows for a folder at first, and that each "more" adds. */
export const childrenStep = 200

/** The expanded folders, each with the maximum number of its subfolders on screen. */
export type Expansion = ReadonlyMap<Path, number>

/** Only the root is expanded at first. It has no row of its own. */
export const initialExpansion: Expansion = new Map([[root, childrenStep]])

/** The state of the subfolders of an expanded folder, as far as the tree has loaded them. */
export type TreeChildren =
  | { readonly kind: 'loading' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'loaded'; readonly names: readonly string[]; readonly total: number }

/** One line of the tree. `level` starts at 1 for the subfolders of the root. */
export type TreeRow = { readonly key: string; readonly folder: Path; readonly level: number } & (
  | {
      readonly kind: 'folder'
      readonly name: string
      readonly position: number
      readonly setSize: number
      readonly isExpanded: boolean
      /** True when the folder has no subfolders, and undefined when it is not known. */
      readonly isLeaf: boolean | undefined
      /** True for a collapsed folder whose subfolders are to be looked for. */
      readonly needsCheck: boolean
      readonly isLoading: boolean
    }
  /** `folder` has more subfolders than the tree shows. */
  | { readonly kind: 'more'; readonly hidden: number }
  /** The subfolders of `folder` could not be loaded. */
  | { readonly kind: 'failed' }
)

export type TreeState = {
  readonly expansion: Expansion
  /** Returns undefined for a folder that is not expanded. */
  readonly childrenOf: (folder: Path) => TreeChildren | undefined
  /** Returns what is known about the subfolders of a folder that has not been expanded, or undefined. */
  readonly factOf: (folder: Path) => SubfolderFact | undefined
  /** The open folder. Its row is shown even if it is not among the first subfolders of its parent. */
  readonly open: Path
}

/** Returns the lines of the tree from the top. */
export const treeRowsOf = (state: TreeState): readonly TreeRow[] => rowsBelow(state, root, 1)

function rowsBelow(state: TreeState, folder: Path, level: number): readonly TreeRow[] {
  const children = state.childrenOf(folder)
  if (children === undefined || children.kind === 'loading') return []
  if (children.kind === 'failed') return [{ kind: 'failed', key: `failed ${folder}`, folder, level }]
  const names = namesWithOpen(children, folder, state.open)
  const rows = names.flatMap((name, at) => {
    const path = childOf(folder, name)
    return path === null
      ? []
      : branchOf(state, { path, name, level, position: at + 1, setSize: children.total })
  })
  const hidden = children.total - names.length
  return hidden <= 0 ? rows : [...rows, { kind: 'more', key: `more ${folder}`, folder, level, hidden }]
}

type BranchPosition = {
  readonly path: Path
  readonly name: string
  readonly level: number
  readonly position: number
  readonly setSize: number
}

/** Returns the row of a folder, followed by the rows below it while it is expanded. */
function branchOf(state: TreeState, { path, ...place }: BranchPosition): readonly TreeRow[] {
  const isExpanded = state.expansion.has(path)
  const children = state.childrenOf(path)
  const fact = state.factOf(path)
  const row: TreeRow = {
    kind: 'folder',
    key: path,
    folder: path,
    ...place,
    isExpanded,
    isLeaf: children?.kind === 'loaded' ? children.total === 0 : fact?.isLeaf,
    needsCheck: !isExpanded && fact?.isStale !== false,
    isLoading: children?.kind === 'loading',
  }
  return isExpanded ? [row, ...rowsBelow(state, path, place.level + 1)] : [row]
}

/**
 * Returns the loaded names of a folder's subfolders, and the name that leads to the open folder if it is missing
 * because the folder has more subfolders than were loaded.
 */
function namesWithOpen(
  { names, total }: Extract<TreeChildren, { kind: 'loaded' }>,
  folder: Path,
  open: Path,
): readonly string[] {
  if (names.length >= total || open === folder || !isWithin(open, folder)) return names
  const name = namesOf(open)[namesOf(folder).length]
  if (name === undefined || names.includes(name)) return names
  return [...names, name].sort(compareNames)
}

/** Expands all folders above the open folder, so that its row is on screen. */
export function expandTo(expansion: Expansion, open: Path): Expansion {
  const missing = ancestorsOf(open).filter((folder) => !expansion.has(folder))
  return missing.length === 0 ? expansion : new Map([...expansion, ...missing.map(expandedEntry)])
}

const expandedEntry = (folder: Path): [Path, number] => [folder, childrenStep]

const ancestorsOf = (path: Path): Path[] => {
  if (path === root) return []
  const parent = parentOf(path)
  return [...ancestorsOf(parent), parent]
}

export const expand = (expansion: Expansion, folder: Path): Expansion =>
  new Map([...expansion, expandedEntry(folder)])

/** Collapses a folder, and with it the folders below it, which would otherwise be loaded again unseen. */
export const collapse = (expansion: Expansion, folder: Path): Expansion =>
  new Map([...expansion].filter(([path]) => !isWithin(path, folder)))

/** Shows more subfolders of a folder. */
export const showMore = (expansion: Expansion, folder: Path): Expansion =>
  new Map([...expansion, [folder, (expansion.get(folder) ?? 0) + childrenStep]])

/** Keeps folders expanded that were renamed or moved, and forgets those that were deleted. */
export function expansionAfter(expansion: Expansion, change: EntryChange): Expansion {
  const { from, to } = change
  if (from === null || ![...expansion.keys()].some((path) => isWithin(path, from))) return expansion
  const kept = [...expansion].filter(([path]) => to !== null || !isWithin(path, from))
  return new Map(kept.map(([path, limit]) => [pathAfter(path, change), limit]))
}
