import { routes, type RouteName } from '../../shared/contract/routes.ts'
import { encodePath, root } from '../../shared/domain/path.ts'
import type { AnyCallTarget, CallTarget, OptionalArgument } from './call-options.ts'
import { config } from './config.ts'

/** Returns the URL of an endpoint, including the base path. Each name in the URL is percent-encoded exactly once. */
export function href<Name extends RouteName>(
  name: Name,
  ...target: OptionalArgument<CallTarget<Name>>
): string
export function href(name: RouteName, target?: AnyCallTarget): string {
  return urlOf(name, target)
}

/** Returns the same URL as `href`, for callers that have already checked the type of the target. */
export function urlOf(name: RouteName, target: AnyCallTarget = {}): string {
  const { path = root, isFolder = false, query = {} } = target
  const parameters: Readonly<Record<string, unknown>> = target
  const below = encodePath(path).slice(1)
  const address = routes[name].pattern
    .replace('*', () => (isFolder && below !== '' ? `${below}/` : below))
    .replaceAll(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(String(parameters[parameter])))
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`],
  )
  return `${config().BaseURL}${address}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}
