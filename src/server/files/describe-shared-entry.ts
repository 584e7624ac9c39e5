import type { PublicResource } from '../../shared/contract/shares.ts'
import type { FileResource } from '../../shared/contract/resources.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { wireExtension } from '../../shared/domain/names.ts'
import type { Path } from '../../shared/domain/path.ts'
import { orderOf } from '../../shared/domain/sorting.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { Storage } from '../storage/port.ts'
import { headReaderOf } from '../storage/read-head.ts'
import { fileTypeAt, resolutionOf } from './describe-file.ts'
import { folderJsonChunks } from './folder-json.ts'
import { listInTurn } from '../storage/list-in-turn.ts'
import { resourceHead } from './resource-head.ts'
import { rowStreamChunks } from './row-stream.ts'

/** An entry of a share that is described to a guest, and the storage that contains it. */
export type SharedEntryOptions = OperationOptions & {
  readonly reading: ResponseMemory
  readonly storage: Storage
  readonly entry: Entry
  readonly path: Path
  /** Fields of the response that replace or extend the fields that are read from the storage. */
  readonly responseFields: Pick<PublicResource, 'path' | 'name' | 'token' | 'shareMode'>
  /** True when a folder is described in the row format instead of JSON. */
  readonly asRows: boolean
}

const byName = { by: 'name', asc: false } as const

/**
 * Describes an entry to a guest. Folder listings are sorted by name, and the types of their files are determined by
 * name only, without reading the files (contract 3.4), and returned as the chunks of their JSON or of their rows. The description of a
 * file contains the resolution of an image, by which the page sizes a preview, and no content (contract 9.6).
 */
export async function describeSharedEntry(
  sharedEntry: SharedEntryOptions,
): Promise<FileResource | AsyncIterable<string>> {
  const { storage, entry, path, responseFields, asRows, signal, reading } = sharedEntry
  const extension = wireExtension(responseFields.name)
  if (!isFolder(entry)) {
    const type = await fileTypeAt(headReaderOf(storage), { path, entry, signal })
    const head = resourceHead({ entry, path, endsWithSlash: false, type })
    const resolution = type === 'image' ? await resolutionOf(storage, { path, signal }) : {}
    return { ...head, ...resolution, extension, ...responseFields }
  }
  const listing = await listInTurn({ storage, reading }, path, {
    order: orderOf(byName),
    sniffs: false,
    signal,
  })
  const head = {
    ...resourceHead({ entry, path, endsWithSlash: false, type: '' }),
    extension,
    ...responseFields,
  }
  if (!asRows) return folderJsonChunks({ head, listing, folder: path, sorting: byName })
  const { total, folders } = listing
  const counts = { numDirs: folders, numFiles: total - folders, sorting: byName, total }
  return rowStreamChunks({ ...head, ...counts }, listing.pages)
}
