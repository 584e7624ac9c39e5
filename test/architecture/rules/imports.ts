import path from 'node:path'
import { layers } from '../layers.ts'
import type { SourceTree } from '../source-tree.ts'

type ModuleMap = Readonly<Record<string, readonly string[]>>

/**
 * Returns the entry of the module map that owns a file: the nearest entry above the file. An entry that has other
 * entries below it (such as `client`) owns only the files directly in its folder, so that a new folder must be added to
 * the map.
 */
export function ownerOf(file: string, map: ModuleMap = layers): string | null {
  const keys = Object.keys(map)
  const owner = keys
    .filter((key) => file === key || file.startsWith(`${key}/`))
    .sort((a, b) => b.length - a.length)[0]
  if (owner === undefined) return null
  const isParent = keys.some((key) => key.startsWith(`${owner}/`))
  const isDirect = !file.slice(owner.length + 1).includes('/')
  return isParent && !isDirect ? null : owner
}

/** Finds files in folders that are not on the module map. */
export const filesOutsideMap = ({ files }: SourceTree): string[] =>
  files.filter(({ path }) => ownerOf(path) === null).map(({ path }) => `${path} is in no folder of the map`)

/** Finds imports that the module map does not allow, including imports of types. */
export function forbiddenImports({ files }: SourceTree): string[] {
  return files.flatMap(({ path, imports }) => {
    const owner = ownerOf(path)
    return imports
      .filter(({ target }) => target !== null && !/\.(css|svg|po|json)$/.test(target))
      .filter(({ target }) => {
        const other = ownerOf(target ?? '')
        return other === null || (other !== owner && !layers[owner ?? '']?.includes(other))
      })
      .map(({ from }) => `${path} may not import ${from}`)
  })
}

/** Finds folders in the module map (`layers`) that contain no source file. */
export function emptyEntries({ paths }: SourceTree): string[] {
  const owners = new Set(paths.map((path) => ownerOf(path)))
  return Object.keys(layers)
    .filter((key) => !owners.has(key))
    .map((key) => `${key} is on the map, but there is nothing in it`)
}

/** Finds names in the lists of allowed imports that are not folders of the module map. */
export const unknownEntries = (map: ModuleMap): string[] =>
  Object.entries(map).flatMap(([key, allowed]) =>
    allowed
      .filter((other) => !(other in map))
      .map((other) => `${key} names ${other}, which is not on the map`),
  )

/** Finds cycles among the folders of the module map. */
export const mapCycles = (map: ModuleMap): string[] => cyclesOf(map)

/**
 * Finds import cycles between files. Imports of types count, because a reader of one file of a cycle has to read all of them.
 * Dynamic imports do not count: a thread and the file that starts it name each other.
 */
export function fileCycles({ files }: SourceTree): string[] {
  const graph = files.map(({ path, imports }) => [
    path,
    imports
      .filter(({ isDynamic, target }) => !isDynamic && target !== null)
      .map(({ target }) => target ?? ''),
  ])
  return cyclesOf(Object.fromEntries(graph) as ModuleMap)
}

/**
 * Finds import cycles between the subfolders of one entry of the module map. The files directly in the folder of the entry
 * are treated as one node of the graph. Imports of types do not count, because a folder may use types of the folder that
 * contains it.
 */
export function folderCycles({ files }: SourceTree): string[] {
  const graph = new Map<string, Set<string>>()
  for (const { path: file, imports } of files) {
    const folder = path.posix.dirname(file)
    const targets = graph.get(folder) ?? new Set<string>()
    graph.set(folder, targets)
    for (const { isType, isDynamic, target } of imports) {
      if (isType || isDynamic || target === null || ownerOf(target) !== ownerOf(file)) continue
      if (path.posix.dirname(target) !== folder) targets.add(path.posix.dirname(target))
    }
  }
  return cyclesOf(Object.fromEntries([...graph].map(([folder, targets]) => [folder, [...targets]])))
}

function cyclesOf(graph: ModuleMap): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (node: string, ancestors: readonly string[]): void => {
    const index = ancestors.indexOf(node)
    if (index >= 0) cycles.push([...ancestors.slice(index), node].join(' → '))
    if (index >= 0 || done.has(node)) return
    for (const next of graph[node] ?? []) visit(next, [...ancestors, node])
    done.add(node)
  }
  for (const node of Object.keys(graph)) visit(node, [])
  return cycles
}

/** Files that translate requests although no `routes` is in their names. Entries may only be removed from this list. */
const otherAdapters: readonly string[] = ['server/sessions/tickets.ts']

/**
 * Finds files of features that know requests and responses although they translate none. The audit log is no feature in
 * this sense, because it wraps routes.
 */
export const requestReaders = ({ files }: SourceTree): string[] =>
  files
    .filter(({ path }) => /^server\/(?!http\/|composition\/|audit\/|build\.ts)/.test(path))
    .filter(({ path }) => !/(\/|-)routes\.ts$/.test(path) && !otherAdapters.includes(path))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => target === 'server/http/route.ts')
        .map(({ from }) => `${path} imports ${from}, but only routes translate requests`),
    )

/** Matches the modules of the contract that hold only names and tables, without the library for schemas. */
const isPlainTable =
  /^shared\/contract\/(routes|hook-events|setting-fields|fields\/(fields|(branding|user)-fields))\.ts$/

/** Finds imports in the client that load files of the contract at run time. Only names and tables may be loaded. */
export const contractAtRunTime = ({ files }: SourceTree): string[] =>
  files
    .filter(({ path }) => path.startsWith('client/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, isType }) => !isType && target?.startsWith('shared/contract/'))
        .filter(({ target }) => !isPlainTable.test(target ?? ''))
        .map(({ from }) => `${path} imports ${from} at run time`),
    )

/**
 * Finds React components that read the columns of a listing directly. Columns are changed in place, but the React
 * compiler memoises derived values by the identity of the columns object. The derived values would become stale.
 */
export const columnsInComponents = ({ files }: SourceTree): string[] =>
  files
    .filter(({ path }) => path.endsWith('.tsx'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, isType }) => !isType && target === 'client/listing/rows/columns.ts')
        .map(() => `${path} reads columns; it has to read rows through useFolderRows`),
    )

/** The files that may import each package. Packages that are not listed may be imported anywhere on their side. */
const packageImporters: Readonly<Record<string, RegExp>> = {
  ws: /^server\/http\//,
  kysely: /^server\/records\//,
  pg: /^server\/records\/postgres\//,
  'node:sqlite': /^server\/records\//,
  koffi: /^server\/storage\/posix\/calls\/kernel\.ts$/,
  bcryptjs: /^server\/auth\//,
  yaml: /^server\/(cli\/exchange|config)\//,
  'smol-toml': /^server\/config\//,
  typebox: /^shared\/contract\/|^server\/http\//,
}

/** Finds imports of a listed package outside of the files that may import it. */
export const strayPackages = ({ files }: SourceTree): string[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ from, target }) => {
        const importers = packageImporters[packageOf(from)]
        return target === null && importers !== undefined && !importers.test(path)
      })
      .map(({ from }) => `${path} may not import ${from}`),
  )

/** Finds imports of Node's modules in shared code and the client, which run in a browser. */
export const nodeInBrowser = ({ files }: SourceTree): string[] =>
  files
    .filter(({ path }) => /^(shared|client)\//.test(path))
    .flatMap(({ path, imports }) =>
      imports.filter(({ from }) => from.startsWith('node:')).map(({ from }) => `${path} imports ${from}`),
    )

/** Returns the package of an import (`@scope/name` or `name`), without the path inside the package. */
export const packageOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
