import type { ResourceItem } from '../../shared/contract/resources.ts'
import { isFolder, wireMode, type Entry } from '../../shared/domain/entry.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'

/**
 * The entry to describe, its path and its type. When `endsWithSlash` is true, the request's path ended with a slash,
 * and the path in the response ends with a slash too.
 */
export type ResourceHeadOptions = {
  readonly entry: Entry
  readonly path: Path
  readonly endsWithSlash: boolean
  readonly type: string
}

/**
 * Describes one entry with the field names of the contract. The description of a link contains the size and the kind of
 * its target, but the time and the permission bits of the link itself (contract 3.1).
 */
export function resourceHead({ entry, path, endsWithSlash, type }: ResourceHeadOptions): ResourceItem {
  const name = nameOf(path)
  return {
    path: endsWithSlash && path !== root ? `${path}/` : path,
    name,
    size: entry.target?.sizeBytes ?? entry.sizeBytes,
    extension: wireExtension(name),
    modified: new Date(Math.floor(entry.modifiedMs)).toISOString(),
    mode: wireMode(entry.mode),
    isDir: isFolder(entry),
    isSymlink: entry.kind === 'link',
    type,
  }
}
