import type { Path } from '../../shared/domain/path.ts'
import { rowOrderOf, type SortPreference } from '../../shared/domain/sorting.ts'
import type { Actor } from '../access/actor.ts'
import type { Caller } from '../access/caller.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { User } from '../records/user-store.ts'
import { monotonicMs } from '../storage/folder-watcher.ts'
import type { Listing } from '../storage/port.ts'
import { listInTurn } from '../storage/list-in-turn.ts'
import type { ListingCache } from './listing-cache.ts'
import { resourceHead } from './resource-head.ts'
import type { FolderResponse, ResponseTags } from './response-tags.ts'
import { rowStreamChunks } from './row-stream.ts'

/** The dependencies of `showRows`. */
export type ShowRowsDependencies = {
  readonly responseTags: ResponseTags
  readonly listingCache: ListingCache
  /** True when the type of a file without a known extension is determined by its first bytes. */
  readonly sniffs: boolean
}

/** Somebody who reads folders, with a stored order. Readers with the same access key see the same entries. */
export type FolderReader = Actor & Pick<Caller, 'accessKey'> & { readonly user: Pick<User, 'sorting'> }

/** A folder to list. */
export type FolderRequest = {
  readonly path: Path
  /** True when the path ended with a slash, as that in the description then does. */
  readonly isFolder: boolean
  readonly sorting: SortPreference
  readonly reading: ResponseMemory
  readonly signal: AbortSignal
}

/** A folder as rows with the tag of this listing. The chunks are null when the reader has the same rows already. */
export type ShownRows = {
  readonly kind: 'rows'
  readonly etag: string
  readonly chunks: AsyncIterable<string | Uint8Array> | null
}

/**
 * Lists a folder as rows. When the reader knows tags of earlier listings, the folder is listed once to compare it with
 * the earlier listing. A changed folder is listed again.
 */
export async function showRows(
  { sniffs, responseTags, listingCache }: ShowRowsDependencies,
  { storage, accessKey }: FolderReader,
  request: FolderRequest & {
    /** The tags that the reader knows, as in the header `If-None-Match`. */
    readonly knownTags: string | undefined
  },
): Promise<ShownRows> {
  const { path, isFolder: endsWithSlash, sorting, reading, knownTags, signal } = request
  const key = JSON.stringify([accessKey, path, endsWithSlash, sorting.by, sorting.asc])
  const cacheRequest = { key, storage, path, signal }
  const readFolder = async (): Promise<FolderResponse> => {
    const cached = await listingCache.find(cacheRequest)
    if (cached !== null) return cached
    const startedAtMs = monotonicMs()
    const order = { ...rowOrderOf(sorting), ignoresFolderSizes: true }
    const listing = await listInTurn({ storage, reading }, path, { order, sniffs, signal })
    const { total, folders } = listing
    const head = resourceHead({ entry: listing.folder, path, endsWithSlash, type: '' })
    const counts = { numDirs: folders, numFiles: total - folders, sorting, total }
    const encode = (pages: Listing['pages']) => rowStreamChunks({ ...head, ...counts }, pages)
    return listingCache.record({ ...cacheRequest, startedAtMs }, listing, encode)
  }
  const matchingTag = knownTags === undefined ? null : await responseTags.matchingTag(knownTags, readFolder)
  if (matchingTag !== null) return { kind: 'rows', etag: matchingTag, chunks: null }
  const etag = responseTags.newTag()
  return { kind: 'rows', etag, chunks: responseTags.remember(etag, await readFolder()) }
}
