import { encodePath, namesOf, pathOf, root, type Path } from '../../../shared/domain/path.ts'

/** The path of the page of a share: the hash of the share as its first name, then the names below the shared entry. */
export type SharePath = Path

/** One level of the breadcrumb. `isEllipsis` marks the last of the levels that are not shown. */
export type ShareLevel = { readonly path: SharePath; readonly name: string; readonly isEllipsis: boolean }

/** Number of levels below the shared folder that the breadcrumb shows (specification 9). */
const maxLevels = 3

/** Returns the path of the shared entry itself. */
export const shareRootOf = (path: SharePath): SharePath => pathOf(namesOf(path)[0] ?? '') ?? root

/** Returns true for the shared entry itself, and false for an entry below it. */
export const isShareRoot = (path: SharePath): boolean => namesOf(path).length < 2

/** Returns the address of the page for an entry, below the base path of the server. */
export const shareUrl = (path: SharePath, isFolder: boolean): string =>
  `/share${encodePath(path)}${isFolder && !isShareRoot(path) ? '/' : ''}`

/** Returns the levels between the shared folder and a path. Levels before the last three are replaced by one ellipsis. */
export function shareLevelsOf(path: SharePath): readonly ShareLevel[] {
  const [hash = '', ...names] = namesOf(path)
  const levels = names.flatMap((name, index) => {
    const at = pathOf([hash, ...names.slice(0, index + 1)].join('/'))
    return at === null ? [] : [{ path: at, name, isEllipsis: false }]
  })
  const hidden = levels.at(-maxLevels - 1)
  const shown = levels.slice(-maxLevels)
  return hidden === undefined ? shown : [{ ...hidden, isEllipsis: true }, ...shown]
}
