import { posix } from 'node:path'
import type { AccessRule } from '../../../shared/domain/access.ts'
import { pathOf, root as topPath } from '../../../shared/domain/path.ts'
import type { ServedFolder } from './served-folder.ts'

/**
 * Returns true when a rule may have hidden entries of the served folder from a user whose former folder contained it. The
 * rule named them by longer paths, so it does not hide them any more. A rule for another part of the machine, such as
 * `/etc` while `/srv` was served, has hidden nothing there.
 */
export function mayHaveHiddenBelowRoot(
  { allow, regex, path }: AccessRule,
  formerFolder: string,
  { root, formerRoot, namesIn }: Pick<ServedFolder, 'root' | 'formerRoot' | 'namesIn'>,
): boolean {
  if (allow) return false
  if (regex || formerRoot === null || !formerRoot.startsWith('/')) return true
  const formerPaths = [root, formerRoot].map((folder) => `/${posix.relative(formerFolder, folder)}`)
  // Rules of early versions compared text, so `/sr` also hid `/srv`.
  if (formerPaths.some((at) => at.startsWith(path) || path.startsWith(`${at === '/' ? '' : at}/`)))
    return true
  // A flag could have replaced the root of the database, so an entry with the end of the rule's path counts as well.
  const names = path.split('/').filter((name) => name !== '')
  return names.some((_name, at) => at > 0 && isPrefixOfEntry(names.slice(at), namesIn))
}

/** Returns true when the served folder has an entry whose path begins with this text. */
function isPrefixOfEntry(names: readonly string[], namesIn: ServedFolder['namesIn']): boolean {
  const parent = pathOf(`/${names.slice(0, -1).join('/')}`)
  return parent !== null && namesIn(topPath, parent).some((name) => name.startsWith(names.at(-1) ?? ''))
}
