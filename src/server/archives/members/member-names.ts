import { splitName } from '../../../shared/domain/names.ts'

/**
 * Returns the name that an entry gets in the archive. The entries must be passed in byte order, and each folder before
 * the entries in it.
 */
export type MemberNamer = (relative: string, kind: 'file' | 'folder') => string

/**
 * Creates a function that gives the members of an archive names that unpacking programs cannot misinterpret (contract
 * 5.2). Backslashes, control characters and the colon of a drive letter are replaced by `_`. If another entry already
 * has the resulting name, a number in parentheses is appended. Changed names are remembered, because an entry that
 * follows in byte order could have the same name. Unchanged names that contain `_` are remembered too: U+007F sorts
 * after `_`, so a name that is changed later could collide with them.
 */
export function createMemberNames(): MemberNamer {
  const takenPaths = new Set<string>()
  const underscoreNames = createUnderscoreNames()
  const changedFolders = new Map<string, string>()

  function pathInArchive(relative: string): string {
    const at = relative.lastIndexOf('/')
    const folder = at < 0 ? '' : relative.slice(0, at)
    const name = plainName(relative.slice(at + 1), at < 0)
    if (folder === '') return name
    return `${folderPathInArchive(folder)}/${name}`
  }

  /**
   * Returns the folder's path in the archive, in which the names of the folder and its parent folders may be changed.
   */
  function folderPathInArchive(folder: string): string {
    if (changedFolders.size === 0) return folder
    for (
      let ancestor = folder;
      ancestor !== '';
      ancestor = ancestor.slice(0, Math.max(ancestor.lastIndexOf('/'), 0))
    ) {
      const changedPath = changedFolders.get(ancestor)
      if (changedPath !== undefined) return changedPath + folder.slice(ancestor.length)
    }
    return folder
  }

  return (relative, kind) => {
    const preferredName = pathInArchive(relative)
    const freePath = freeName(
      preferredName,
      kind,
      (name) => takenPaths.has(name) || underscoreNames.has(name),
    )
    if (lastNameOf(freePath) === lastNameOf(relative)) {
      underscoreNames.add(freePath)
      return freePath
    }
    takenPaths.add(freePath)
    if (kind === 'folder') changedFolders.set(relative, freePath)
    return freePath
  }
}

const lastNameOf = (relative: string): string => relative.slice(relative.lastIndexOf('/') + 1)
const folderOf = (name: string): string => name.slice(0, Math.max(name.lastIndexOf('/'), 0))

/**
 * Creates a set that holds the names containing `_` in the current folder and its parent folders. When a folder is
 * complete, its names are removed, because none of its entries can follow.
 */
function createUnderscoreNames(): { add(name: string): void; has(name: string): boolean } {
  const names = new Map<string, Set<string>>()
  let current = ''

  function enter(folder: string): void {
    if (folder === current) return
    current = folder
    for (const known of names.keys()) {
      if (known !== '' && !`${folder}/`.startsWith(`${known}/`)) names.delete(known)
    }
  }

  return {
    add(name) {
      const folder = folderOf(name)
      enter(folder)
      if (!name.includes('_', folder.length)) return
      const known = names.get(folder)
      if (known === undefined) names.set(folder, new Set([name]))
      else known.add(name)
    },
    has: (name) => names.get(folderOf(name))?.has(name) ?? false,
  }
}

const plainName = (name: string, isTop: boolean): string => {
  const plain = name.replaceAll(/[\\\u0000-\u001F\u007F]/g, '_')
  return isTop ? plain.replace(/^([A-Za-z]):/, '$1_') : plain
}

function freeName(wanted: string, kind: 'file' | 'folder', isTaken: (name: string) => boolean): string {
  if (!isTaken(wanted)) return wanted
  const at = wanted.lastIndexOf('/') + 1
  const name = wanted.slice(at)
  const { stem, extension } = kind === 'file' ? splitName(name) : { stem: name, extension: '' }
  for (let number = 1; ; number += 1) {
    const free = `${wanted.slice(0, at)}${stem} (${number})${extension}`
    if (!isTaken(free)) return free
  }
}
