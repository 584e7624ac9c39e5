import { childOf, type Path } from '../../shared/domain/path.ts'
import { filesUrl, navigate, withBase } from './router.ts'

/** An entry in `folder`, or in its own folder. */
type LocatedEntry = { readonly name: string; readonly folder?: Path; readonly isFolder: boolean }

/** Returns the address of an entry in this program. `shown` is the folder of an entry that names none. */
export function entryUrl(shown: Path, { name, folder = shown, isFolder }: LocatedEntry): string {
  const path = childOf(folder, name)
  return path === null ? '/404' : filesUrl(path, isFolder)
}

/** Opens an address in this tab or in a new one. */
export function openUrl(url: string, isNewTab: boolean): void {
  if (isNewTab) window.open(withBase(url), '_blank', 'noopener')
  else navigate(url)
}
