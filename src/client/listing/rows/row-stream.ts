import { rowOrderOf, type SortPreference } from '../../../shared/domain/sorting.ts'
import type {
  FileResource,
  FolderResource,
  Resource,
  ResourceItem,
  ListingRow,
  RowStreamHead,
} from '../../../shared/contract/resources.ts'
import { announceTotals, appendRows, finishColumns } from './column-writes.ts'
import { type ListingColumns, createColumns, publishSummary } from './columns.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'

/**
 * The media type of the row stream. `shared/contract/resources` contains the same media type, but the client may import
 * only types from that file.
 */
const rowsMediaType = 'application/x-ndjson'

export type RowFetchDependencies = {
  /** Sends the request with the session's headers. */
  readonly request: (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>
  /** Yields to the event loop. Resolves when the browser has had a chance to paint. */
  readonly yieldToBrowser: () => Promise<void>
  readonly nowMs: () => number
}

export type RowFetchOptions = {
  /** The entity tag of the rows that the caller already has, or null when the caller has no rows. */
  readonly etag: string | null
  readonly signal: AbortSignal
  /** Called as soon as the first rows have arrived, while further rows are still arriving. */
  readonly onFirstRows: (folder: FolderListing) => void
}

/** The server's listing of a folder. Rows may still be arriving. */
export type FolderListing = {
  readonly columns: ListingColumns
  readonly etag: string | null
  /** The time of the folder's last change when the server read it, in ms since 1970. */
  readonly modifiedMs?: number
}

/** The reason why a folder or file could not be loaded. Status 0 means that the server could not be reached. */
export type LoadError = {
  readonly status: number
  readonly isBrokenLink?: true
  /** The id under which the log of the server has the details. */
  readonly requestId?: string
}

export type ResourceResponse =
  | { readonly kind: 'folder'; readonly folder: FolderListing }
  | { readonly kind: 'file'; readonly file: FileResource }
  | { readonly kind: 'unchanged' }
  /** The result when the server has refused the request, or could not be reached (status 0). */
  | ({ readonly kind: 'failed' } & LoadError)

/** The minimum time between two publications of the row count while rows arrive, in milliseconds. */
const publishMs = 120
/**
 * The maximum time in milliseconds that the parser works without yielding to the browser: half a frame at 60 frames per
 * second.
 */
const maxBlockingMs = 8

/**
 * Fetches a folder as a stream of rows. Also accepts a listing in JSON and the description of a file. Resolves when the
 * whole response has arrived, and throws only the AbortError of the signal.
 */
export async function fetchRows(
  dependencies: RowFetchDependencies,
  options: RowFetchOptions,
): Promise<ResourceResponse> {
  try {
    const headers = {
      accept: `${rowsMediaType}, application/json`,
      ...(options.etag && { 'if-none-match': options.etag }),
    }
    const response = await dependencies.request(headers, options.signal)
    if (response.status === 304) return { kind: 'unchanged' }
    if (!response.ok) return { kind: 'failed', ...loadErrorOf(response) }
    if (response.headers.get('content-type')?.startsWith(rowsMediaType) !== true)
      return await readJson(response, options)
    return await readRows(dependencies, response, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    return { kind: 'failed', status: 0 }
  }
}

function loadErrorOf({ status, headers }: Response): LoadError {
  const requestId = headers.get('x-request-id')
  return {
    status,
    ...(headers.get('x-error') === 'broken-link' && { isBrokenLink: true }),
    ...(requestId !== null && { requestId }),
  }
}

async function readRows(
  dependencies: RowFetchDependencies,
  response: Response,
  options: RowFetchOptions,
): Promise<ResourceResponse> {
  const etag = response.headers.get('etag')
  const lines = createNdjsonReader()
  const afterLine = createLinePause(dependencies, options)
  let folder: FolderListing | null = null
  for await (const bytes of bytesOf(response)) {
    for (const value of lines.push(bytes)) {
      folder = takeLine(folder, value, etag)
      await afterLine(folder)
    }
  }
  for (const value of lines.end()) folder = takeLine(folder, value, etag)
  if (folder === null) return { kind: 'failed', status: 0 }
  return finished(folder)
}

/**
 * Returns a function that the caller runs after each line. The function shows the first rows as soon as they have
 * arrived, publishes the row count periodically, and yields to the event loop after `maxBlockingMs` of work.
 */
function createLinePause(
  { yieldToBrowser, nowMs }: RowFetchDependencies,
  { onFirstRows, signal }: RowFetchOptions,
): (folder: FolderListing) => Promise<void> {
  let hasShownRows = false
  let workStartMs = nowMs()
  let publishedMs = workStartMs
  return async (folder) => {
    const isFirst = !hasShownRows && folder.columns.count > 0
    if (!isFirst && nowMs() - workStartMs <= maxBlockingMs) return
    if (isFirst || (hasShownRows && nowMs() - publishedMs > publishMs)) {
      publishSummary(folder.columns)
      publishedMs = nowMs()
    }
    if (isFirst) onFirstRows(folder)
    hasShownRows ||= isFirst
    await yieldToBrowser()
    signal.throwIfAborted()
    workStartMs = nowMs()
  }
}

/** Processes one line of the stream. The first line describes the folder, and each further line is a list of rows. */
function takeLine(folder: FolderListing | null, value: unknown, etag: string | null): FolderListing {
  if (folder !== null) {
    appendRows(folder.columns, value as readonly ListingRow[])
    return folder
  }
  const { total, numDirs, sorting, modified } = value as RowStreamHead
  const columns = createColumns(rowOrderOf(sorting as SortPreference))
  announceTotals(columns, { total, folders: numDirs })
  return { columns, etag, modifiedMs: Date.parse(modified) }
}

/** Completes a listing. When the stream ended early, the listing consists of the rows that have arrived. */
function finished(folder: FolderListing): ResourceResponse {
  finishColumns(folder.columns)
  return { kind: 'folder', folder }
}

async function readJson(response: Response, { signal }: RowFetchOptions): Promise<ResourceResponse> {
  const resource = (await response.json()) as Resource
  signal.throwIfAborted()
  if (!isFolder(resource)) return { kind: 'file', file: resource }
  const { items, numDirs, sorting } = resource
  const columns = createColumns(rowOrderOf(sorting as SortPreference))
  announceTotals(columns, { total: items.length, folders: numDirs })
  appendRows(columns, foldersFirst(items).map(rowOfItem))
  return finished({ columns, etag: response.headers.get('etag') })
}

const isFolder = (resource: Resource): resource is FolderResource => resource.isDir

/**
 * Puts folders before files. With some sort orders the server's JSON listing mixes folders and files, but the screen
 * always shows folders first.
 */
const foldersFirst = (items: readonly ResourceItem[]): readonly ResourceItem[] => [
  ...items.filter((item) => item.isDir),
  ...items.filter((item) => !item.isDir),
]

const rowOfItem = (item: ResourceItem): ListingRow => [
  item.name,
  item.size,
  Date.parse(item.modified),
  item.type,
  Number(item.isDir) + Number(item.isSymlink) * 2 + (item.type === 'invalid_link' ? 4 : 0),
]
