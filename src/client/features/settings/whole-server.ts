/**
 * Returns true for a scope that is the whole served folder: an empty path, `.` and `/`, and paths that lead back to it. The server
 * confines each scope to that folder.
 */
export const isWholeServer = (scope: string): boolean => namesOfScope(scope).length === 0

/** Returns true when a scope is the folder of another scope, or inside of it. */
export const isScopeWithin = (scope: string, folder: string): boolean =>
  `${namesOfScope(scope).join('/')}/`.startsWith(
    isWholeServer(folder) ? '' : `${namesOfScope(folder).join('/')}/`,
  )

/** Returns the names in the path of a scope. The name `..` removes the name before it, as it does on the server. */
export function namesOfScope(scope: string): readonly string[] {
  const names: string[] = []
  for (const name of scope.trim().split('/'))
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  return names
}
