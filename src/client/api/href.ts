import { routes, type RouteName } from '../../shared/contract/routes.ts'
import { encodePath, root, type Path } from '../../shared/domain/path.ts'
import { config } from './config.ts'

export type Target = {
  readonly path?: Path
  /** Ends the address with a slash: the path means a folder. */
  readonly isFolder?: boolean
  readonly id?: number | string
  /** For the pattern's `{size}`. */
  readonly word?: string
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
}

/** The address of a call, base path included. Names are percent-encoded exactly once. */
export function href(
  name: RouteName,
  { path = root, isFolder = false, id, word = '', query = {} }: Target = {},
): string {
  const below = encodePath(path).slice(1)
  const pattern = routes[name].pattern
  const place = pattern
    .replace('*', () => (isFolder && below !== '' ? `${below}/` : below))
    .replace('{id}', () => encodeURIComponent(String(id)))
    .replace('{size}', () => encodeURIComponent(word))
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    value === undefined ? [] : [`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`],
  )
  return `${config().BaseURL}${place}${pairs.length === 0 ? '' : `?${pairs.join('&')}`}`
}
