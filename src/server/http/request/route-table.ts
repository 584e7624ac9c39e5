import { routes as patterns } from '../../../shared/contract/routes.ts'
import type { RouteName } from '../../../shared/contract/routes.ts'

/** What a method and an undecoded path lead to. */
export type Match =
  | {
      readonly kind: 'route'
      readonly name: RouteName
      readonly rest: string
      readonly id: number
      readonly word?: string
    }
  | { readonly kind: 'static'; readonly rest: string }
  | { readonly kind: 'page' }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' }
  /** Names no path at all. */
  | { readonly kind: 'malformed' }

type Pattern = {
  readonly name: RouteName
  readonly method: string
  /** As a regular expression; calls that differ in their method have the same. */
  readonly shape: string
  readonly length: number
  /** Its first two names, which are the same in every path that fits. */
  readonly start: string
  /** Whether it ends in a path of any length. */
  readonly isOpen: boolean
}

/** The calls of one shape; the more exact shape comes first. */
type Shape = { readonly expression: RegExp; readonly patterns: readonly Pattern[] }

export type RouteTable = (method: string, path: string) => Match

/** Matches undecoded paths: a whole pattern before one that stands for many, then the longer one. HEAD goes wherever GET does. */
export function createRouteTable(names: readonly RouteName[]): RouteTable {
  const table = tableOf(names)
  return (method, path) => {
    const fitting: Pattern[] = []
    for (const { expression, patterns } of table.get(startOf(path)) ?? []) {
      const parts = expression.exec(path)
      if (parts === null) continue
      const found = patterns.find(takes(method))
      if (found !== undefined) return matched(found, parts.groups)
      fitting.push(...patterns)
    }
    if (fitting.length > 0) return { kind: 'wrong-method', allow: allowed(fitting) }
    return outside(method, path)
  }
}

function tableOf(names: readonly RouteName[]): ReadonlyMap<string, readonly Shape[]> {
  const patterns = names.map((name) => compile(name, names)).sort(moreExactFirst)
  const table = new Map<string, Shape[]>()
  for (const [shape, alike] of Map.groupBy(patterns, ({ shape }) => shape)) {
    const start = alike[0]?.start ?? ''
    const shapes = table.get(start) ?? []
    shapes.push({ expression: new RegExp(`^${shape}$`, 's'), patterns: alike })
    table.set(start, shapes)
  }
  return table
}

const takes =
  (method: string) =>
  (pattern: Pattern): boolean =>
    pattern.method === method ||
    (method === 'HEAD' && pattern.method === 'GET') ||
    takesAnyMethod(pattern.name)

/** Those who watch over a server ask in their own ways, with OPTIONS for one (contract 8.1). */
export const takesAnyMethod = (name: RouteName): boolean => name === 'health.get'

/** `/api/raw` of `/api/raw/docs/a.txt`: up to the third slash. */
function startOf(path: string): string {
  const third = path.indexOf('/', path.indexOf('/', 1) + 1)
  return third > 0 ? path.slice(0, third) : path
}

const moreExactFirst = (a: Pattern, b: Pattern): number =>
  Number(a.isOpen) - Number(b.isOpen) || b.length - a.length

function matched({ name }: Pattern, parts: Readonly<Record<string, string>> = {}): Match {
  const { id, rest, word } = parts
  return {
    kind: 'route',
    name,
    rest: rest === undefined || rest === '' ? '/' : rest,
    id: Number(id ?? 0),
    ...(word === undefined ? {} : { word }),
  }
}

/** What no endpoint has: our own files, the page for every address of a browser, and nothing else. */
function outside(method: string, path: string): Match {
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || isBelow(path, '/api')) return { kind: 'unknown' }
  return isBelow(path, '/static') ? { kind: 'static', rest: path.slice('/static'.length) } : { kind: 'page' }
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

function compile(name: RouteName, names: readonly RouteName[]): Pattern {
  const { method, pattern } = patterns[name]
  const rest = isEntryOfOther(pattern, names) ? '(?<rest>/.*)' : '(?<rest>|/.*)'
  const shape = pattern
    .replace('/*', rest)
    .replace('{id}', '(?<id>[1-9][0-9]{0,14})')
    .replace('{size}', '(?<word>[^/]*)')
  return {
    name,
    method,
    shape,
    length: pattern.length,
    start: startOf(pattern),
    isOpen: pattern.includes('*'),
  }
}

/** Whether a pattern without its `/*` is a path of another's: then that is meant, unless a slash follows (contract 3.10). */
const isEntryOfOther = (pattern: string, names: readonly RouteName[]): boolean =>
  pattern.endsWith('/*') &&
  names.some((name) => {
    const other: string = patterns[name].pattern
    return other !== pattern && other.endsWith('/*') && pattern.startsWith(other.slice(0, -1))
  })

const allowed = (fitting: readonly Pattern[]): string[] => [
  ...new Set(fitting.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
]
