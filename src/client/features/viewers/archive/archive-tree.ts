import type { ArchiveMembers } from '../../../../shared/contract/archives.ts'
import type { FileType } from '../../../../shared/domain/file-types.ts'
import { typeOfName } from '../../../../shared/domain/file-kind.ts'
import { compareNames } from '../../../../shared/domain/sorting.ts'

/** A file or folder in an archive. */
export type ArchiveNode = {
  /** The path in the archive, which is empty for the top. */
  readonly path: string
  readonly name: string
  readonly isFolder: boolean
  readonly isReadable: boolean
  /** True for a file that can only be read with a password. */
  readonly isEncrypted: boolean
  readonly type: FileType
  /** The size in bytes; of a folder, the sum of all files below it. */
  sizeBytes: number
  readonly modifiedMs: number
}

/** The folders of an archive with their entries, by the path of the folder. */
export type ArchiveTree = ReadonlyMap<string, readonly ArchiveNode[]>

/** Returns false for the time of a member whose time is unknown. */
export const hasDate = (modifiedMs: number): boolean => modifiedMs !== 0

/** The values of `memberFlag` in the contract. */
const [folderFlag, unreadableFlag, encryptedFlag] = [1, 2, 4]

const nameOfPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const parentOfPath = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

/**
 * Sorts the members of an archive into folders. Archives do not have to list the folders of their files. The
 * server lists each path once.
 */
export function treeOfMembers({ members }: Pick<ArchiveMembers, 'members'>): ArchiveTree {
  const nodes = new Map<string, ArchiveNode>()
  const folders = new Map<string, ArchiveNode[]>([['', []]])

  function addFolder(path: string, modifiedMs: number): void {
    if (path === '' || folders.has(path)) return
    folders.set(path, [])
    add({
      path,
      name: nameOfPath(path),
      isFolder: true,
      isReadable: true,
      isEncrypted: false,
      type: '',
      sizeBytes: 0,
      modifiedMs,
    })
  }

  function add(node: ArchiveNode): void {
    if (nodes.has(node.path)) return
    nodes.set(node.path, node)
    const parent = parentOfPath(node.path)
    addFolder(parent, node.modifiedMs)
    folders.get(parent)?.push(node)
  }

  function foldersAbove(path: string): readonly ArchiveNode[] {
    const folder = nodes.get(parentOfPath(path))
    return folder === undefined ? [] : [folder, ...foldersAbove(folder.path)]
  }

  for (const [path, sizeBytes, modifiedMs, flags] of members) {
    if ((flags & folderFlag) !== 0) addFolder(path, modifiedMs)
    else {
      const name = nameOfPath(path)
      const isReadable = (flags & unreadableFlag) === 0
      const isEncrypted = (flags & encryptedFlag) !== 0
      const type = typeOfName(name) ?? 'text'
      add({ path, name, isFolder: false, isReadable, isEncrypted, type, sizeBytes, modifiedMs })
      for (const folder of foldersAbove(path)) folder.sizeBytes += sizeBytes
    }
  }
  for (const list of folders.values())
    list.sort((a, b) => Number(b.isFolder) - Number(a.isFolder) || compareNames(a.name, b.name))
  return folders
}
