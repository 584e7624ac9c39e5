import { namesOf, pathOf, root, type Path } from '../../../shared/domain/path.ts'

/**
 * Returns the folder that the argument of `cd` means, as in a shell: `/` and `~` are the top folder, `..` is the folder above, which the
 * top folder does not have, and everything else is below the current folder. Null for a name that no entry can have.
 */
export function resolveFolder(current: Path, argument: string): Path | null {
  const isFromTop = /^(?:\/|~(?:\/|$))/.test(argument)
  const names = isFromTop ? [] : namesOf(current)
  for (const name of argument.replace(/^~(?=\/|$)/, '').split('/')) {
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  }
  return names.length === 0 ? root : pathOf(`/${names.join('/')}`)
}
