import { rowOrderOf, type Sorting } from '../../../shared/domain/sorting.ts'
import type {
  FileResource,
  FolderResource,
  Resource,
  ResourceItem,
  Row,
  RowsHead,
} from '../../../shared/contract/resources.ts'
import { announceTotals, appendRows, finishColumns } from './column-writes.ts'
import { type Columns, createColumns, publishSummary } from './columns.ts'
import { createNdjsonReader } from './ndjson-reader.ts'

/** The media type of the row stream. `shared/contract/resources` names it too, but may not be imported at run time. */
const rowsMediaType = 'application/x-ndjson'

export type RowFetchDependencies = {
  /** Sends the request with the session's headers. */
  readonly request: (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>
  /** Yields to the event loop. Resolves when the browser has had a chance to paint. */
  readonly yieldToBrowser: () => Promise<void>
  readonly nowMs: () => number
}

export type RowFetchOptions = {
  /** The entity tag of the rows that the caller has already, or null. */
  readonly etag: string | null
  readonly signal: AbortSignal
  /** Called as soon as the first rows have arrived, while the others are still arriving. */
  readonly onFirstRows: (folder: FolderListing) => void
}

/** A folder as the server answered; its columns may still be filling. */
export type FolderListing = { readonly columns: Columns; readonly etag: string | null }

export type ResourceAnswer =
  | { readonly kind: 'folder'; readonly folder: FolderListing }
  | { readonly kind: 'file'; readonly file: FileResource }
  | { readonly kind: 'unchanged' }
  /** Status 0 means that the server could not be reached. */
  | { readonly kind: 'failed'; readonly status: number }

/** While rows arrive, the growing count is published at most this often. */
const publishMs = 120
/** The longest stretch of work before the browser gets its turn: half a frame at 60 frames per second. */
const maxBlockingMs = 8

/**
 * Fetches a folder as a stream of rows. Also understands a listing in JSON, and the description of a file. Resolves
 * when the whole answer has arrived; throws only the AbortError of the signal.
 */
export async function fetchRows(
  dependencies: RowFetchDependencies,
  options: RowFetchOptions,
): Promise<ResourceAnswer> {
  try {
    const headers = {
      accept: `${rowsMediaType}, application/json`,
      ...(options.etag && { 'if-none-match': options.etag }),
    }
    const response = await dependencies.request(headers, options.signal)
    if (response.status === 304) return { kind: 'unchanged' }
    if (!response.ok) return { kind: 'failed', status: response.status }
    if (response.headers.get('content-type')?.startsWith(rowsMediaType) !== true)
      return await readJson(response, options)
    return await readRows(dependencies, response, options)
  } catch (error) {
    if (options.signal.aborted) throw error
    return { kind: 'failed', status: 0 }
  }
}

async function readRows(
  dependencies: RowFetchDependencies,
  response: Response,
  options: RowFetchOptions,
): Promise<ResourceAnswer> {
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
 * Returns a function to call after each line. It shows the first rows as soon as they have arrived, publishes the
 * growing count from time to time, and yields to the event loop whenever the work has taken too long.
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

/** Takes one line of the stream: the first describes the folder, each further line is a list of rows. */
function takeLine(folder: FolderListing | null, value: unknown, etag: string | null): FolderListing {
  if (folder !== null) {
    appendRows(folder.columns, value as readonly Row[])
    return folder
  }
  const { total, numDirs, sorting } = value as RowsHead
  const columns = createColumns(rowOrderOf(sorting as Sorting))
  announceTotals(columns, { total, folders: numDirs })
  return { columns, etag }
}

/** Completes a listing. A stream that ended early counts as complete with the rows that arrived. */
function finished(folder: FolderListing): ResourceAnswer {
  finishColumns(folder.columns)
  return { kind: 'folder', folder }
}

async function readJson(response: Response, { signal }: RowFetchOptions): Promise<ResourceAnswer> {
  const resource = (await response.json()) as Resource
  signal.throwIfAborted()
  if (!isFolder(resource)) return { kind: 'file', file: resource }
  const { items, numDirs, sorting } = resource
  const columns = createColumns(rowOrderOf(sorting as Sorting))
  announceTotals(columns, { total: items.length, folders: numDirs })
  appendRows(columns, foldersFirst(items).map(rowOfItem))
  return finished({ columns, etag: response.headers.get('etag') })
}

const isFolder = (resource: Resource): resource is FolderResource => resource.isDir

/** Puts folders before files: the listing in JSON mixes them under some sort orders, the screen never does. */
const foldersFirst = (items: readonly ResourceItem[]): readonly ResourceItem[] => [
  ...items.filter((item) => item.isDir),
  ...items.filter((item) => !item.isDir),
]

const rowOfItem = (item: ResourceItem): Row => [
  item.name,
  item.size,
  Date.parse(item.modified),
  item.type,
  Number(item.isDir) + Number(item.isSymlink) * 2 + (item.type === 'invalid_link' ? 4 : 0),
]

async function* bytesOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
