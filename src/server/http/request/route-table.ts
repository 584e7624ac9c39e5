import { routes as patterns, type ParameterTypes, type RouteName } from '../../../shared/contract/routes.ts'

/** The result of matching the method and the percent-encoded path of a request. */
export type RouteMatch =
  | {
      readonly kind: 'route'
      readonly name: RouteName
      /** The percent-encoded path that matches `*`, starting with a slash. `/` for a pattern without `*`. */
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
  /**
   * The source of the regular expression that matches the paths. It is the same for calls that only differ in their
   * method.
   */
  readonly shape: string
  readonly length: number
  /** The first two segments, which all matching paths have in common. */
  readonly start: string
  /** True for a pattern that contains `*`. */
  readonly hasWildcard: boolean
  /** The names of the parameters in braces in the pattern. */
  readonly parameters: readonly (keyof ParameterTypes)[]
}

/**
 * For each parameter, the regular expression that matches it in a path, and a function that converts the
 * percent-encoded match to a value.
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

/** A regular expression, and the patterns of the calls that share it. */
type PathShape = { readonly expression: RegExp; readonly patterns: readonly CompiledPattern[] }

export type RouteMatcher = (method: string, path: string) => RouteMatch

/**
 * Creates a function that matches the methods and percent-encoded paths of requests to calls. Patterns without `*` are
 * tried before patterns with `*`, and longer patterns before shorter patterns. HEAD matches every call with the method
 * GET.
 */
export function createRouteMatcher(names: readonly RouteName[]): RouteMatcher {
  const shapes = shapesByStart(names)
  return (method, path) => {
    const patternsOfPath: CompiledPattern[] = []
    for (const { expression, patterns } of shapes.get(startOf(path)) ?? []) {
      const match = expression.exec(path)
      if (match === null) continue
      const found = patterns.find(acceptsMethod(method))
      if (found !== undefined) return matchOf(found, match.groups)
      patternsOfPath.push(...patterns)
    }
    if (patternsOfPath.length > 0) return { kind: 'wrong-method', allow: allowedMethods(patternsOfPath) }
    return matchUnrouted(method, path)
  }
}

function shapesByStart(names: readonly RouteName[]): ReadonlyMap<string, readonly PathShape[]> {
  const patterns = names.map((name) => compilePattern(name, names)).sort(compareSpecificity)
  const table = new Map<string, PathShape[]>()
  for (const [shape, patternsOfShape] of Map.groupBy(patterns, ({ shape }) => shape)) {
    const start = patternsOfShape[0]?.start ?? ''
    const shapes = table.get(start) ?? []
    shapes.push({ expression: new RegExp(`^${shape}$`, 's'), patterns: patternsOfShape })
    table.set(start, shapes)
  }
  return table
}

const acceptsMethod =
  (method: string) =>
  (pattern: CompiledPattern): boolean =>
    pattern.method === method ||
    (method === 'HEAD' && pattern.method === 'GET') ||
    acceptsAnyMethod(pattern.name)

/**
 * True for calls that accept every method. The health check does, because monitoring tools use various methods, such as
 * OPTIONS (contract 8.1).
 */
export const acceptsAnyMethod = (name: RouteName): boolean => name === 'health.get'

/** Returns the first two segments of a path, such as `/api/raw` for `/api/raw/docs/a.txt`. */
function startOf(path: string): string {
  const third = path.indexOf('/', path.indexOf('/', 1) + 1)
  return third > 0 ? path.slice(0, third) : path
}

const compareSpecificity = (a: CompiledPattern, b: CompiledPattern): number =>
  Number(a.hasWildcard) - Number(b.hasWildcard) || b.length - a.length

function matchOf({ name, parameters }: CompiledPattern, groups: PathMatchGroups = {}): RouteMatch {
  const rest = groups['rest'] ?? ''
  return {
    kind: 'route',
    name,
    rest: rest === '' ? '/' : rest,
    params: parameters.length === 0 ? noParameters : parametersIn(groups, parameters),
  }
}

type PathMatchGroups = Readonly<Record<string, string>>

const noParameters: Partial<ParameterTypes> = Object.freeze({})

const parametersIn = (
  groups: PathMatchGroups,
  names: readonly (keyof ParameterTypes)[],
): Partial<ParameterTypes> =>
  Object.fromEntries(names.map((name) => [name, parameterSyntax[name].read(groups[name] ?? '')]))

/**
 * Matches a request that belongs to no endpoint. GET and HEAD requests match a static file below `/static`, and the
 * page of the web client outside `/api`. All other requests match nothing.
 */
function matchUnrouted(method: string, path: string): RouteMatch {
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || isBelow(path, '/api')) return { kind: 'unknown' }
  return isBelow(path, '/static') ? { kind: 'static', rest: path.slice('/static'.length) } : { kind: 'page' }
}

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

function compilePattern(name: RouteName, names: readonly RouteName[]): CompiledPattern {
  const { method, pattern } = patterns[name]
  const rest = isPathOfOtherPattern(pattern, names) ? '(?<rest>/.*)' : '(?<rest>|/.*)'
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
    hasWildcard: pattern.includes('*'),
    parameters,
  }
}

/**
 * True when the path of a pattern without its `/*` also matches another pattern. That path is handled by the other
 * pattern unless a slash follows (contract 3.10).
 */
const isPathOfOtherPattern = (pattern: string, names: readonly RouteName[]): boolean =>
  pattern.endsWith('/*') &&
  names.some((name) => {
    const other: string = patterns[name].pattern
    return other !== pattern && other.endsWith('/*') && pattern.startsWith(other.slice(0, -1))
  })

const allowedMethods = (patternsOfPath: readonly CompiledPattern[]): string[] => [
  ...new Set(patternsOfPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))),
]
