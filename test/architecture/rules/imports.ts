import { layers } from '../layers.ts'
import type { SourceTree } from '../source-tree.ts'

type Layers = Readonly<Record<string, readonly string[]>>

/**
 * The entry of the map that a file belongs to: the nearest one above it. An entry that has others below it (as `client`) owns
 * only the files that lie directly in it, so that a new folder is never on the map by accident.
 */
export function ownerOf(file: string, map: Layers = layers): string | null {
  const keys = Object.keys(map)
  const owner = keys
    .filter((key) => file === key || file.startsWith(`${key}/`))
    .sort((a, b) => b.length - a.length)[0]
  if (owner === undefined) return null
  const isParent = keys.some((key) => key.startsWith(`${owner}/`))
  const isDirect = !file.slice(owner.length + 1).includes('/')
  return isParent && !isDirect ? null : owner
}

/** Every file lies in a folder that is on the map. */
export const offTheMap = ({ files }: SourceTree): string[] =>
  files.filter(({ path }) => ownerOf(path) === null).map(({ path }) => `${path} is in no folder of the map`)

/** Imports, those of types too, lead only where the map allows. */
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

/** The folders of the map that nothing lies in. */
export function emptyEntries({ paths }: SourceTree): string[] {
  const owners = new Set(paths.map((path) => ownerOf(path)))
  return Object.keys(layers)
    .filter((key) => !owners.has(key))
    .map((key) => `${key} is on the map, but there is nothing in it`)
}

/** The map names only itself. */
export const unknownEntries = (map: Layers): string[] =>
  Object.entries(map).flatMap(([key, allowed]) =>
    allowed
      .filter((other) => !(other in map))
      .map((other) => `${key} names ${other}, which is not on the map`),
  )

/** The map has no cycle. */
export const mapCycles = (map: Layers): string[] => cyclesOf(map)

/** No file imports itself by way of others. What is only a type is gone at run time, and makes no cycle. */
export function fileCycles({ files }: SourceTree): string[] {
  const graph = files.map(({ path, imports }) => [
    path,
    imports
      .filter(({ isType, isDynamic, target }) => !isType && !isDynamic && target !== null)
      .map(({ target }) => target ?? ''),
  ])
  return cyclesOf(Object.fromEntries(graph) as Layers)
}

function cyclesOf(graph: Layers): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (node: string, above: readonly string[]): void => {
    const at = above.indexOf(node)
    if (at >= 0) cycles.push([...above.slice(at), node].join(' → '))
    if (at >= 0 || done.has(node)) return
    for (const next of graph[node] ?? []) visit(next, [...above, node])
    done.add(node)
  }
  for (const node of Object.keys(graph)) visit(node, [])
  return cycles
}

/** The client takes types of the contract, and at run time only its names of calls. */
export const contractAtRunTime = ({ files }: SourceTree): string[] =>
  files
    .filter(({ path }) => path.startsWith('client/'))
    .flatMap(({ path, imports }) =>
      imports
        .filter(({ target, isType }) => !isType && target?.startsWith('shared/contract/'))
        .filter(({ target }) => target !== 'shared/contract/routes.ts')
        .map(({ from }) => `${path} imports ${from} at run time`),
    )

/** What each package may be imported by; packages that are not named here may be imported by their own side. */
const packageHomes: Readonly<Record<string, RegExp>> = {
  ws: /^server\/http\//,
  kysely: /^server\/records\//,
  'node:sqlite': /^server\/records\//,
  koffi: /^server\/storage\/posix\/calls\/kernel\.ts$/,
  '@node-rs/bcrypt': /^server\/auth\//,
  yaml: /^server\/cli\/exchange\//,
  typebox: /^shared\/contract\/|^server\/http\//,
}

/** Each package behind a door is imported only there. */
export const strayPackages = ({ files }: SourceTree): string[] =>
  files.flatMap(({ path, imports }) =>
    imports
      .filter(({ from, target }) => {
        const home = packageHomes[packageOf(from)]
        return target === null && home !== undefined && !home.test(path)
      })
      .map(({ from }) => `${path} may not import ${from}`),
  )

/** Shared code and the client run in a browser, where Node is not. */
export const nodeInBrowser = ({ files }: SourceTree): string[] =>
  files
    .filter(({ path }) => /^(shared|client)\//.test(path))
    .flatMap(({ path, imports }) =>
      imports.filter(({ from }) => from.startsWith('node:')).map(({ from }) => `${path} imports ${from}`),
    )

/** `@scope/name` or `name` of an import, without what lies inside the package. */
export const packageOf = (from: string): string =>
  from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/')
