import { rowsMediaType } from '../../shared/contract/resources.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { orderOf } from '../../shared/domain/sorting.ts'
import type { RouteResponse } from '../http/route.ts'
import type { ResourceRequest } from './describe-file.ts'
import { folderJsonChunks } from './folder-json.ts'
import { showFile, type ShowFileDependencies } from './show-file.ts'
import { listInTurn } from './list-in-turn.ts'
import { resourceHead } from './resource-head.ts'
import { showRows, sortingOf, storedSorting, type ShowRowsDependencies } from './show-rows.ts'
import { createSubtitleIndex } from './subtitle-index.ts'

/** The dependencies of `showEntry`. */
export type ShowEntryDependencies = ShowFileDependencies & ShowRowsDependencies

/** Responds with the entry at a path: a folder as JSON or as rows, and any other entry as JSON. */
export async function showEntry(
  dependencies: ShowEntryDependencies,
  request: ResourceRequest,
): Promise<RouteResponse> {
  const acceptsRows = request.header('accept')?.includes(rowsMediaType) ?? false
  const list = acceptsRows ? showRows : showFolder
  // A path that ends with a slash denotes a folder. Its attributes and its content are then read in one storage call,
  // without a separate lookup.
  const isValidRequest = !acceptsRows || sortingOf(request) !== null
  const folderResponse =
    request.isFolder && isValidRequest ? await nullIfNotFolder(list(dependencies, request)) : null
  if (folderResponse !== null) return folderResponse
  const entry = await request.caller.storage.stat(request.path)
  if (entry.target?.kind === 'missing') throw new AppError('broken-link')
  return isFolder(entry) ? list(dependencies, request) : showFile(dependencies, request, entry)
}

/** Waits for a response. Returns null when it fails because the path is not a folder. */
async function nullIfNotFolder(response: Promise<RouteResponse>): Promise<RouteResponse | null> {
  try {
    return await response
  } catch (error) {
    if (codeOf(error) === 'not-a-folder') return null
    throw error
  }
}

/** Maximum number of rows of a folder that is sent as one response with a known length. Larger folders are streamed. */
const maxRowsInOneText = 256

async function showFolder(
  { sniffs }: ShowEntryDependencies,
  request: ResourceRequest,
): Promise<RouteResponse> {
  const { caller, path, isFolder: endsWithSlash, signal } = request
  const sorting = storedSorting(caller.user.sorting)
  const client = { storage: caller.storage, reading: request.reading }
  const listing = await listInTurn(client, path, { order: orderOf(sorting), sniffs, signal })
  const head = resourceHead({ entry: listing.folder, path, endsWithSlash, type: '' })
  const subtitles = createSubtitleIndex({ storage: caller.storage, signal }, path)
  const chunks = folderJsonChunks({ head, listing, folder: path, sorting, subtitles })
  return listing.total <= maxRowsInOneText
    ? { kind: 'json-text', text: await textOf(chunks) }
    : { kind: 'stream', contentType: 'application/json; charset=utf-8', chunks }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
