import type { ResourceItem } from '../../shared/contract/resources.ts'
import { isFolder, wireMode, type Entry } from '../../shared/domain/entry.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'

/** The entry that was asked for, and whether the request's path ended with a slash: the answer's path keeps it. */
export type Described = {
  readonly entry: Entry
  readonly path: Path
  readonly endsWithSlash: boolean
  readonly type: string
}

/** One entry in full words. For a link: size and kind of its target, time and mode of its own (contract 3.1). */
export function resourceHead({ entry, path, endsWithSlash, type }: Described): ResourceItem {
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
