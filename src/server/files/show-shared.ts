import type { FileResource } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import type { Path } from '../../shared/domain/path.ts'
import { orderOf } from '../../shared/domain/sorting.ts'
import type { Answer } from '../http/route.ts'
import type { Op, Storage } from '../storage/port.ts'
import { typeOf } from './describe-file.ts'
import { folderPieces } from './folder-pieces.ts'
import { resourceHead } from './resource-head.ts'

export type Shared = Op & {
  readonly storage: Storage
  readonly entry: Entry
  readonly path: Path
  /** What the answer says in place of what the storage knows, and beside it. */
  readonly says: { readonly path: string; readonly name: string; readonly token?: string }
}

const byName = { by: 'name', asc: false } as const

/** Describes an entry to a guest: sorted by name, without a file's content (contract 9.6), and without a look into the files of a folder (3.4). */
export async function showShared(shared: Shared): Promise<Answer> {
  const { storage, entry, path, says, signal } = shared
  const extension = wireExtension(says.name)
  if (!isFolder(entry)) {
    const type = await typeOf(storage, { path, entry, signal })
    const head = resourceHead({ entry, path, endsWithSlash: false, type })
    return { kind: 'json', json: { ...head, extension, ...says } satisfies FileResource }
  }
  const listing = await storage.list(path, { order: orderOf(byName), sniffs: false, signal })
  const head = resourceHead({ entry, path, endsWithSlash: false, type: '' })
  return {
    kind: 'pieces',
    contentType: 'application/json; charset=utf-8',
    pieces: folderPieces({ head: { ...head, extension, ...says }, listing, folder: path, sorting: byName }),
  }
}
