import type { Endpoint } from '../../../src/shared/contract/endpoint.ts'
import { nameOf, walk, type SyntaxNode, type SourceTree } from '../source-tree.ts'

/** Finds names in `routes.ts` for which the contract does not declare exactly one endpoint. */
export function callsWithoutEndpoint(names: readonly string[], endpoints: readonly Endpoint[]): string[] {
  const count = (name: string) => endpoints.filter(({ route }) => route === name).length
  return names.filter((name) => count(name) !== 1).map((name) => `${name} has ${count(name)} endpoints`)
}

/**
 * Finds endpoints that are not bound to an operation. An endpoint is bound by `route(endpoint, …)`, or by `{ endpoint:
 * … }` for a socket.
 */
export function unboundEndpoints({ files }: SourceTree): string[] {
  const bound = new Set<string | undefined>()
  const declared: string[] = []
  for (const { path, program } of files) {
    walk(program, (node) => {
      const firstArgument = (node['arguments'] as readonly SyntaxNode[] | undefined)?.[0]
      if (path.startsWith('shared/contract/') && isCallOf(node['init'], 'endpoint'))
        declared.push(nameOf(node['id']) ?? '')
      if (isCallOf(node, 'route')) bound.add(nameOf(firstArgument))
      if (node.type === 'Property' && nameOf(node['key']) === 'endpoint') bound.add(nameOf(node['value']))
    })
  }
  return declared.filter((name) => !bound.has(name)).map((name) => `${name} is bound to no operation`)
}

const isCallOf = (node: unknown, name: string): boolean =>
  (node as SyntaxNode | null)?.type === 'CallExpression' && nameOf((node as SyntaxNode)['callee']) === name

/** Finds files that declare routes but are not used by the composition root. */
export function forgottenRoutes({ files }: SourceTree): string[] {
  const composed = new Set(
    files
      .filter(({ path }) => path === 'server/build.ts' || path.startsWith('server/composition/'))
      .flatMap(({ imports }) => imports.map(({ target }) => target)),
  )
  return files
    .filter(({ path }) => /^server\/[^/]+\/routes\.ts$/.test(path) && !composed.has(path))
    .map(({ path }) => `${path} is not composed`)
}

type RouteTable = Readonly<Record<string, { readonly method: string; readonly pattern: string }>>
type HookEventList = readonly { readonly name: string; readonly calls: readonly string[] }[]

/**
 * Finds endpoints that change an entry at a path and neither trigger a hook event nor are listed as exceptions in
 * `exceptions`.
 */
export function callsWithoutHookEvent(
  routes: RouteTable,
  events: HookEventList,
  exceptions: readonly string[],
): string[] {
  const known = new Set([...exceptions, ...events.flatMap((event) => event.calls)])
  return Object.entries(routes)
    .filter(([name, { method, pattern }]) => method !== 'GET' && pattern.endsWith('/*') && !known.has(name))
    .map(([name]) => `${name} is no hook event`)
}

/** Finds files of `client/actions` whose action is not in the list that the screens show. */
export function forgottenActions({ files }: SourceTree): string[] {
  const list = files.find(({ path }) => path === 'client/actions/actions.ts')
  const listed = new Set(list?.imports.map(({ target }) => target))
  return files
    .filter(
      ({ path, text }) => path.startsWith('client/actions/') && /^export const \w+: Action = /m.test(text),
    )
    .filter(({ path }) => !listed.has(path))
    .map(({ path }) => `${path} is not in the list of actions`)
}
