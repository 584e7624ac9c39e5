import { isFolder } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { orderOf, type SortPreference } from '../../shared/domain/sorting.ts'
import { describeFile } from './describe-file.ts'
import { folderJsonChunks } from './folder-json.ts'
import { showFile, type ShowFileDependencies, type ShowFileRequest, type ShownFile } from './show-file.ts'
import { listInTurn } from '../storage/list-in-turn.ts'
import { resourceHead } from './resource-head.ts'
import {
  showRows,
  type FolderReader,
  type FolderRequest,
  type ShownRows,
  type ShowRowsDependencies,
} from './show-rows.ts'
import { createSubtitleIndex } from './subtitle-index.ts'

/** The dependencies of `showEntry`. */
export type ShowEntryDependencies = ShowFileDependencies & ShowRowsDependencies

/** An entry to show: a file, or a folder of which the reader knows the tags of earlier listings. */
export type ShowEntryRequest = Omit<ShowFileRequest, 'entry'> &
  Omit<FolderRequest, 'sorting'> & {
    /** True when a folder is wanted as rows. */
    readonly wantsRows: boolean
    /** The order of the rows. Undefined values stand for the order that the reader has stored. */
    readonly sorting: RequestedSorting
    readonly knownTags: string | undefined
    /** True when neither the items of a folder nor the details of a file are wanted. */
    readonly describesOnly: boolean
  }

type RequestedSorting = { readonly by?: string | undefined; readonly asc?: boolean | undefined }

/** A folder as JSON: the whole text of a small one, and the chunks of a large one. */
export type ShownFolder = { readonly kind: 'folder'; readonly json: string | AsyncIterable<string> }

/** Shows the entry at a path: a folder as JSON or as rows, and any other entry by its description. */
export async function showEntry(
  dependencies: ShowEntryDependencies,
  reader: FolderReader,
  request: ShowEntryRequest,
): Promise<ShownFile | ShownFolder | ShownRows> {
  const { path, isFolder: endsWithSlash, wantsRows } = request
  if (request.describesOnly) return describeOnly(reader, request)
  const sorting = () => sortingOf(wantsRows ? request.sorting : {}, reader.user.sorting)
  const list = async (): Promise<ShownFolder | ShownRows> => {
    const order = sorting()
    if (order === null) throw new AppError('bad-request')
    return (wantsRows ? showRows : showFolder)(dependencies, reader, { ...request, sorting: order })
  }
  // A path that ends with a slash denotes a folder. Its attributes and its content are then read in one storage call,
  // without a separate lookup.
  const shown = endsWithSlash && sorting() !== null ? await nullIfNotFolder(list()) : null
  if (shown !== null) return shown
  const entry = await reader.storage.stat(path)
  if (entry.target?.kind === 'missing') throw new AppError('broken-link')
  return isFolder(entry) ? list() : showFile(dependencies, reader, { ...request, entry })
}

/** Describes an entry as a listing shows it. */
async function describeOnly(reader: FolderReader, request: ShowEntryRequest): Promise<ShownFile> {
  const { path, isFolder: endsWithSlash, signal } = request
  const entry = await reader.storage.stat(path, { signal })
  const description = isFolder(entry)
    ? resourceHead({ entry, path, endsWithSlash, type: '' })
    : await describeFile(reader, { ...request, entry })
  return { kind: 'description', description }
}

/** Returns the order of a folder: the requested one or else the stored one. Returns null for an unknown key. */
function sortingOf(requested: RequestedSorting, stored: SortPreference): SortPreference | null {
  // A stored order without a key means order by name.
  const by = requested.by ?? (stored.by === '' ? 'name' : stored.by)
  if (by !== 'name' && by !== 'size' && by !== 'modified') return null
  return { by, asc: requested.asc ?? stored.asc }
}

/** Waits for a listing. Returns null when it fails because the path is not a folder. */
async function nullIfNotFolder<T>(listing: Promise<T>): Promise<T | null> {
  try {
    return await listing
  } catch (error) {
    if (codeOf(error) === 'not-a-folder') return null
    throw error
  }
}

/** Maximum number of rows of a folder that is sent as one text with a known length. Larger folders are streamed. */
const maxRowsInOneText = 256

async function showFolder(
  { sniffs }: ShowEntryDependencies,
  { storage }: FolderReader,
  { path, isFolder: endsWithSlash, sorting, reading, signal }: FolderRequest,
): Promise<ShownFolder> {
  const listing = await listInTurn({ storage, reading }, path, { order: orderOf(sorting), sniffs, signal })
  const head = resourceHead({ entry: listing.folder, path, endsWithSlash, type: '' })
  const subtitles = createSubtitleIndex({ storage, signal }, path)
  const chunks = folderJsonChunks({ head, listing, folder: path, sorting, subtitles })
  return { kind: 'folder', json: listing.total <= maxRowsInOneText ? await textOf(chunks) : chunks }
}

async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}
