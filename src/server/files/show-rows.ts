import { rowsMediaType } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { rowOrderOf, type SortPreference } from '../../shared/domain/sorting.ts'
import type { RouteResponse } from '../http/route.ts'
import { monotonicMs } from '../storage/folder-watcher.ts'
import type { Listing } from '../storage/port.ts'
import type { ResourceRequest } from './describe-file.ts'
import { listInTurn } from './list-in-turn.ts'
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

/**
 * Responds with a folder as rows. When the request contains an etag, the folder is listed once to compare it with the
 * earlier response. A changed folder is listed again and sent.
 */
export async function showRows(
  { sniffs, responseTags, listingCache }: ShowRowsDependencies,
  request: ResourceRequest,
): Promise<RouteResponse> {
  const sorting = sortingOf(request)
  if (sorting === null) throw new AppError('bad-request')
  const { caller, path, isFolder: endsWithSlash, signal } = request
  const key = JSON.stringify([caller.accessKey, path, endsWithSlash, sorting.by, sorting.asc])
  const cacheRequest = { key, storage: caller.storage, path, signal }
  const readFolder = async (): Promise<FolderResponse> => {
    const cached = await listingCache.find(cacheRequest)
    if (cached !== null) return cached
    const startedAtMs = monotonicMs()
    const order = { ...rowOrderOf(sorting), ignoresFolderSizes: true }
    const client = { storage: caller.storage, reading: request.reading }
    const listing = await listInTurn(client, path, { order, sniffs, signal })
    const { total, folders } = listing
    const head = resourceHead({ entry: listing.folder, path, endsWithSlash, type: '' })
    const counts = { numDirs: folders, numFiles: total - folders, sorting, total }
    const encode = (pages: Listing['pages']) => rowStreamChunks({ ...head, ...counts }, pages)
    return listingCache.record({ ...cacheRequest, startedAtMs }, listing, encode)
  }
  const ifNoneMatch = request.header('if-none-match')
  const knownTag = ifNoneMatch === undefined ? null : await responseTags.matchingTag(ifNoneMatch, readFolder)
  if (knownTag !== null) return { kind: 'status', status: 304, headers: { ETag: knownTag } }
  const etag = responseTags.newTag()
  return {
    kind: 'stream',
    contentType: rowsMediaType,
    headers: { ETag: etag },
    chunks: responseTags.remember(etag, await readFolder()),
  }
}

/**
 * Returns the sort order of the rows: the order in the query or, if the query names no order, the user's stored order.
 * Returns null when the query names an unknown key.
 */
export function sortingOf({ query, caller }: ResourceRequest): SortPreference | null {
  const stored = storedSorting(caller.user.sorting)
  const by = query.by ?? stored.by
  if (by !== 'name' && by !== 'size' && by !== 'modified') return null
  return { by, asc: query.asc === undefined ? stored.asc : query.asc === 'true' }
}

/** Returns the user's stored order. A stored order without a key means order by name. */
export const storedSorting = ({ by, asc }: SortPreference): SortPreference => ({
  by: by === '' ? 'name' : by,
  asc,
})
