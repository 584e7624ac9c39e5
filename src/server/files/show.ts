import type { getResource } from '../../shared/contract/resources.ts'
import { rowsMediaType } from '../../shared/contract/resources.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { orderOf, rowOrderOf, type Sorting } from '../../shared/domain/sorting.ts'
import type { Answer, Asked } from '../http/route.ts'
import { folderPieces } from './folder-pieces.ts'
import { showFile, type ShowingFile } from './show-file.ts'
import { resourceHead } from './resource-head.ts'
import type { Revisits } from './revisit.ts'
import { rowPieces } from './row-pieces.ts'
import { createSubtitleShelf } from './subtitles-beside.ts'

type AskedFor = Asked<typeof getResource>

export type Showing = ShowingFile & {
  readonly revisits: Revisits
  /** Whether names that tell nothing are judged by their first bytes. */
  readonly sniffs: boolean
}

/** Answers what stands at a path: a folder as JSON or as rows, anything else as JSON. */
export async function show(showing: Showing, asked: AskedFor): Promise<Answer> {
  const wantsRows = asked.header('accept')?.includes(rowsMediaType) ?? false
  const list = wantsRows ? showRows : showFolder
  // Who ends a path with a slash means a folder: what it is comes together with what is in it, in one visit to the disk.
  const isAskedRightly = !wantsRows || sortingOf(asked) !== null
  const listed = asked.isFolder && isAskedRightly ? await unlessNoFolder(list(showing, asked)) : null
  if (listed !== null) return listed
  const entry = await asked.caller.storage.stat(asked.path)
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  return isFolder(entry) ? list(showing, asked) : showFile(showing, asked, entry)
}

async function unlessNoFolder(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (codeOf(error) === 'not-a-folder') return null
    throw error
  }
}

/** So many rows at most are one text; more are sent as they are written. */
const fewRows = 256

async function showFolder({ sniffs }: Showing, asked: AskedFor): Promise<Answer> {
  const { caller, path, isFolder: endsWithSlash, signal } = asked
  const sorting = storedSorting(caller.user.sorting)
  const listing = await caller.storage.list(path, { order: orderOf(sorting), sniffs, signal })
  const head = resourceHead({ entry: listing.folder, path, endsWithSlash, type: '' })
  const subtitles = createSubtitleShelf({ storage: caller.storage, signal }, path)
  const pieces = folderPieces({ head, listing, folder: path, sorting, subtitles })
  return listing.total <= fewRows
    ? { kind: 'json-text', text: await textOf(pieces) }
    : { kind: 'pieces', contentType: 'application/json; charset=utf-8', pieces }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

async function showRows({ sniffs, revisits }: Showing, asked: AskedFor): Promise<Answer> {
  const sorting = sortingOf(asked)
  if (sorting === null) throw new AppError('bad-request')
  const visit = async () => {
    const { caller, path, isFolder: endsWithSlash, signal } = asked
    const listing = await caller.storage.list(path, { order: rowOrderOf(sorting), sniffs, signal })
    const { total, folders } = listing
    const head = resourceHead({ entry: listing.folder, path, endsWithSlash, type: '' })
    const counts = { numDirs: folders, numFiles: total - folders, sorting, total }
    return { folderEtag: listing.folder.etag, pieces: rowPieces({ ...head, ...counts }, listing) }
  }
  const ifNoneMatch = asked.header('if-none-match')
  const same = ifNoneMatch === undefined ? null : await revisits.sameAs(ifNoneMatch, await visit())
  if (same !== null) return { kind: 'status', status: 304, headers: { ETag: same } }
  const etag = revisits.newTag()
  return {
    kind: 'pieces',
    contentType: rowsMediaType,
    headers: { ETag: etag },
    pieces: revisits.remember(etag, await visit()),
  }
}

/** The order of our own rows may be asked for; without a word it is the person's. Null where there is none of that word. */
function sortingOf({ query, caller }: AskedFor): Sorting | null {
  const stored = storedSorting(caller.user.sorting)
  const by = query.by ?? stored.by
  if (by !== 'name' && by !== 'size' && by !== 'modified') return null
  return { by, asc: query.asc === undefined ? stored.asc : query.asc === 'true' }
}

/** A stored preference without a key means names. */
const storedSorting = ({ by, asc }: Sorting): Sorting => ({ by: by === '' ? 'name' : by, asc })
