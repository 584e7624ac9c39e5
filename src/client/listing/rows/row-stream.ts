import { rowOrderOf, type Sorting } from '../../../shared/domain/sorting.ts'
import type {
  FileResource,
  FolderResource,
  Resource,
  ResourceItem,
  Row,
  RowsHead,
} from '../../../shared/contract/resources.ts'
import { announce, appendRows, type Columns, createColumns, finishColumns, touch } from './columns.ts'
import { createLineReader } from './ndjson.ts'

/** The media type of the row stream; `shared/contract/resources` may not be imported at run time. */
const rowsMediaType = 'application/x-ndjson'

/** What `fetchRows` needs: how to ask (with the session's headers), and how to let others work between pieces. */
export type RowSource = {
  readonly request: (headers: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<Response>
  /** Resolves when the browser has had a chance to paint. */
  readonly breathe: () => Promise<void>
  readonly nowMs: () => number
}

export type RowRequest = {
  /** The tag of what is here already. */
  readonly etag: string | null
  readonly signal: AbortSignal
  /** Called as soon as the first rows are here, while the rest still arrives. */
  readonly onFirstRows: (folder: ReadFolder) => void
}

/** A folder as answered; `columns` may still be filling. */
export type ReadFolder = {
  readonly head: FolderHead
  readonly columns: Columns
  readonly etag: string | null
}
export type FolderHead = Omit<RowsHead, 'total'>

export type Answer =
  | { readonly kind: 'folder'; readonly folder: ReadFolder }
  | { readonly kind: 'file'; readonly file: FileResource }
  | { readonly kind: 'unchanged' }
  /** 0 when the server could not be reached. */
  | { readonly kind: 'failed'; readonly status: number }

/** How often the growing count is shown. */
const showMs = 120
/** Longest stretch of work before the browser gets its turn: half a frame. */
const sliceMs = 8

/**
 * Asks for a resource as rows and takes the listing's JSON or a file's description as well. Resolves when everything is here;
 * throws only the AbortError of its signal.
 */
export async function fetchRows(source: RowSource, asked: RowRequest): Promise<Answer> {
  try {
    const headers = {
      accept: `${rowsMediaType}, application/json`,
      ...(asked.etag && { 'if-none-match': asked.etag }),
    }
    const response = await source.request(headers, asked.signal)
    if (response.status === 304) return { kind: 'unchanged' }
    if (!response.ok) return { kind: 'failed', status: response.status }
    if (response.headers.get('content-type')?.startsWith(rowsMediaType) !== true)
      return await readJson(response, asked)
    return await readRows(source, response, asked)
  } catch (error) {
    if (asked.signal.aborted) throw error
    return { kind: 'failed', status: 0 }
  }
}

async function readRows(source: RowSource, response: Response, asked: RowRequest): Promise<Answer> {
  const etag = response.headers.get('etag')
  const lines = createLineReader()
  const pause = createPause(source, asked)
  let folder: ReadFolder | null = null
  for await (const bytes of bytesOf(response)) {
    for (const value of lines.push(bytes)) {
      folder = takeLine(folder, value, etag)
      await pause(folder)
    }
  }
  for (const value of lines.end()) folder = takeLine(folder, value, etag)
  if (folder === null) return { kind: 'failed', status: 0 }
  return finished(folder)
}

/** Shows the first rows as soon as they are here, and from then on lets the browser work whenever a slice of time is used up. */
function createPause(source: RowSource, asked: RowRequest): (folder: ReadFolder) => Promise<void> {
  let isShown = false
  let sinceMs = source.nowMs()
  let shownMs = sinceMs
  return async (folder) => {
    const isFirst = !isShown && folder.columns.count > 0
    if (!isFirst && source.nowMs() - sinceMs <= sliceMs) return
    if (isFirst) asked.onFirstRows(folder)
    else if (isShown && source.nowMs() - shownMs > showMs) {
      touch(folder.columns)
      shownMs = source.nowMs()
    }
    isShown ||= isFirst
    await source.breathe()
    asked.signal.throwIfAborted()
    sinceMs = source.nowMs()
  }
}

/** The first line is the folder, each further one a list of rows. */
function takeLine(folder: ReadFolder | null, value: unknown, etag: string | null): ReadFolder {
  if (folder !== null) {
    appendRows(folder.columns, value as readonly Row[])
    return folder
  }
  const { total, ...head } = value as RowsHead
  const columns = createColumns(rowOrderOf(head.sorting as Sorting))
  announce(columns, { total, folders: head.numDirs })
  return { head, columns, etag }
}

/** A stream that ended early shows what came, as if it were all. */
function finished(folder: ReadFolder): Answer {
  finishColumns(folder.columns)
  return { kind: 'folder', folder }
}

async function readJson(response: Response, asked: RowRequest): Promise<Answer> {
  const resource = (await response.json()) as Resource
  asked.signal.throwIfAborted()
  if (!isFolder(resource)) return { kind: 'file', file: resource }
  const { items, ...head } = resource
  const columns = createColumns(rowOrderOf(resource.sorting as Sorting))
  announce(columns, { total: items.length, folders: head.numDirs })
  appendRows(columns, foldersFirst(items).map(rowOfItem))
  return finished({ head, columns, etag: response.headers.get('etag') })
}

const isFolder = (resource: Resource): resource is FolderResource => resource.isDir

/** The listing's JSON mixes folders and files under some sortings; the screen never does. */
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
