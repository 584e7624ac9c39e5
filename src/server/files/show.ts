import type { getResource } from '../../shared/contract/resources.ts'
import { rowsMediaType } from '../../shared/contract/resources.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { isFolder } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
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
  const entry = await asked.caller.storage.stat(asked.path)
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  if (!isFolder(entry)) return showFile(showing, asked, entry)
  const wantsRows = asked.header('accept')?.includes(rowsMediaType) ?? false
  return wantsRows ? showRows(showing, asked, entry) : showFolder(showing, asked, entry)
}

async function showFolder({ sniffs }: Showing, asked: AskedFor, entry: Entry): Promise<Answer> {
  const { caller, path, isFolder: endsWithSlash, signal } = asked
  const sorting = storedSorting(caller.user.sorting)
  const listing = await caller.storage.list(path, { order: orderOf(sorting), sniffs, signal })
  const head = resourceHead({ entry, path, endsWithSlash, type: '' })
  const subtitles = createSubtitleShelf({ storage: caller.storage, signal }, path)
  return {
    kind: 'pieces',
    contentType: 'application/json; charset=utf-8',
    pieces: folderPieces({ head, listing, folder: path, sorting, subtitles }),
  }
}

async function showRows({ sniffs, revisits }: Showing, asked: AskedFor, entry: Entry): Promise<Answer> {
  const sorting = sortingOf(asked)
  const visit = async () => {
    const { caller, path, isFolder: endsWithSlash, signal } = asked
    const listing = await caller.storage.list(path, { order: rowOrderOf(sorting), sniffs, signal })
    const { total, folders } = listing
    const head = resourceHead({ entry, path, endsWithSlash, type: '' })
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

/** The order of our own rows may be asked for; without a word it is the person's. */
function sortingOf({ query, caller }: AskedFor): Sorting {
  const stored = storedSorting(caller.user.sorting)
  const by = query.by ?? stored.by
  if (by !== 'name' && by !== 'size' && by !== 'modified') throw new AppError('bad-request')
  return { by, asc: query.asc === undefined ? stored.asc : query.asc === 'true' }
}

/** A stored preference without a key means names. */
const storedSorting = ({ by, asc }: Sorting): Sorting => ({ by: by === '' ? 'name' : by, asc })
