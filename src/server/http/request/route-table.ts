import { routes as patterns, type ParameterTypes, type RouteName } from '../../../shared/contract/routes.ts'

/** The result of matching a method and an undecoded path. */
export type RouteMatch =
  | {
      readonly kind: 'route'
      readonly name: RouteName
      /** The undecoded path that matches `*`, with a slash in front. `/` where the pattern has no `*`. */
      readonly rest: string
      readonly params: Partial<ParameterTypes>
    }
  | { readonly kind: 'static'; readonly rest: string }
  | { readonly kind: 'page' }
  | { readonly kind: 'wrong-method'; readonly allow: readonly string[] }
  | { readonly kind: 'unknown' }
  /** The request target has no path. */
  | { readonly kind: 'malformed' }

type CompiledPattern = {
  readonly name: RouteName
  readonly method: string
  /** The regular expression of the paths, as text. It is the same for calls that only differ in their method. */
  readonly shape: string
  readonly length: number
  /** The first two segments, which all matching paths have in common. */
  readonly start: string
  /** True for a pattern that ends with `*`. */
  readonly isOpen: boolean
  /** The names of the parameters that the pattern has in braces. */
  readonly parameters: readonly (keyof ParameterTypes)[]
}

/**
 * For each parameter, the regular expression of its text in a path, and a function that converts the undecoded text to
 * a value.
 */
const parameterSyntax: {
  readonly [Name in keyof ParameterTypes]: {
    readonly expression: string
    readonly read: (text: string) => ParameterTypes[Name]
  }
} = {
  id: { expression: '[1-9][0-9]{0,14}', read: Number },
  size: { expression: '[^/]*', read: String },
}

const parameterNames = Object.keys(parameterSyntax) as (keyof ParameterTypes)[]

/** A regular expression with the calls that share it. */
type PathShape = { readonly expression: RegExp; readonly patterns: readonly CompiledPattern[] }

export type RouteTable = (method: string, path: string) => RouteMatch

/**
 * Creates a table that matches undecoded paths to calls. Patterns without `*` are tried before patterns with `*`, and
 * longer patterns before shorter ones. HEAD matches wherever GET does.
 */
export function createRouteTable(names: readonly RouteName[]): RouteTable {
  const table = tableOf(names)
  return (method, path) => {
    const fitting: CompiledPattern[] = []
    for (const { expression, patterns } of table.get(startOf(path)) ?? []) {
      const parts = expression.exec(path)
      if (parts === null) continue
      const found = patterns.find(takes(method))
      if (found !== undefined) return matchOf(found, parts.groups)
      fitting.push(...patterns)
    }
    if (fitting.length > 0) return { kind: 'wrong-method', allow: allowed(fitting) }
    return matchUnrouted(method, path)
  }
}

function tableOf(names: readonly RouteName[]): ReadonlyMap<string, readonly PathShape[]> {
  const patterns = names.map((name) => compile(name, names)).sort(moreExactFirst)
  const table = new Map<string, PathShape[]>()
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
  (pattern: CompiledPattern): boolean =>
    pattern.method === method ||
    (method === 'HEAD' && pattern.method === 'GET') ||
    takesAnyMethod(pattern.name)

/** True for calls that accept every method: health checks use various methods, such as OPTIONS (contract 8.1). */
export const takesAnyMethod = (name: RouteName): boolean => name === 'health.get'

/** Returns a path up to its third slash: `/api/raw` for `/api/raw/docs/a.txt`. */
function startOf(path: string): string {
  const third = path.indexOf('/', path.indexOf('/', 1) + 1)
  return third > 0 ? path.slice(0, third) : path
}

const moreExactFirst = (a: CompiledPattern, b: CompiledPattern): number =>
  Number(a.isOpen) - Number(b.isOpen) || b.length - a.length

function matchOf({ name, parameters }: CompiledPattern, parts: PathGroups = {}): RouteMatch {
  const rest = parts['rest'] ?? ''
  return {
    kind: 'route',
    name,
    rest: rest === '' ? '/' : rest,
    params: parameters.length === 0 ? noParameters : parametersIn(parts, parameters),
  }
}

type PathGroups = Readonly<Record<string, string>>

const noParameters: Partial<ParameterTypes> = Object.freeze({})

const parametersIn = (parts: PathGroups, names: readonly (keyof ParameterTypes)[]): Partial<ParameterTypes> =>
  Object.fromEntries(names.map((name) => [name, parameterSyntax[name].read(parts[name] ?? '')]))

/**
 * Matches a path that no endpoint declares: a static file, the page of the web client for any other address that a
 * browser may open, or nothing.
 */
function matchUnrouted(method: string, path: string): RouteMatch {
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || isBelow(path, '/api')) return { kind: 'unknown' }
  return isBelow(path, '/static') ? { kind: 'static', rest: path.slice('/static'.length) } : { kind: 'page' }
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

function compile(name: RouteName, names: readonly RouteName[]): CompiledPattern {
  const { method, pattern } = patterns[name]
  const rest = isEntryOfOther(pattern, names) ? '(?<rest>/.*)' : '(?<rest>|/.*)'
  const parameters = parameterNames.filter((parameter) => pattern.includes(`{${parameter}}`))
  const shape = parameters.reduce(
    (text, parameter) =>
      text.replace(`{${parameter}}`, `(?<${parameter}>${parameterSyntax[parameter].expression})`),
    pattern.replace('/*', rest),
  )
  return {
    name,
    method,
    shape,
    length: pattern.length,
    start: startOf(pattern),
    isOpen: pattern.includes('*'),
    parameters,
  }
}

/**
 * True when a pattern without its `/*` is also a path of another pattern. Such a path belongs to the other pattern
 * unless a slash follows (contract 3.10).
 */
const isEntryOfOther = (pattern: string, names: readonly RouteName[]): boolean =>
  pattern.endsWith('/*') &&
  names.some((name) => {
    const other: string = patterns[name].pattern
    return other !== pattern && other.endsWith('/*') && pattern.startsWith(other.slice(0, -1))
  })

const allowed = (fitting: readonly CompiledPattern[]): string[] => [
  ...new Set(fitting.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
]
