import type { PublicDrop, PublicResource } from '../../shared/contract/shares.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import type { StoredShare } from '../records/share-store.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { ReceivedFileStore } from '../records/received-files.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { OpenFile, Storage } from '../storage/port.ts'
import { requireDownloadsLeft, type ShareUses } from './count-uses.ts'
import {
  admitGuest,
  openShare,
  type AdmittedGuest,
  type OpenedShare,
  type OpenShareDependencies,
  type OpenShareRequest,
} from './open-share.ts'

/** A request to describe a shared entry to a guest. */
export type SharedEntryRequest = OperationOptions & {
  /** The memory of folders that guests read slowly. */
  readonly reading: ResponseMemory
  readonly storage: Storage
  readonly entry: Entry
  /** The entry's path in the storage. */
  readonly path: Path
  /** The fields of the description that cannot be derived from the entry. */
  readonly responseFields: Pick<PublicResource, 'path' | 'name' | 'token' | 'shareMode'>
  /** True when a folder is described in the row format instead of JSON. */
  readonly asRows: boolean
}

export type VisitShareDependencies = OpenShareDependencies & {
  readonly describeEntry: (entry: SharedEntryRequest) => Promise<SharedEntryView['description']>
  /** The maximum size of an uploaded file, in bytes. 0 when there is no limit. */
  readonly maxFileBytes: number
  readonly receivedFiles: Pick<ReceivedFileStore, 'totals'>
  readonly uses: ShareUses
}

/** A shared entry as a guest sees it. */
export type SharedEntryView = Pick<OpenedShare, 'token'> & {
  /** The description, or the chunks of the listing of a folder: its JSON, or its rows when they were requested. */
  readonly description: object | AsyncIterable<string>
  /** The end of the share in seconds since 1970, which the description of an entry does not contain. */
  readonly expiresAtSeconds: number | null
  /** The name that the owner shows as the sender; empty for none. */
  readonly senderName: string
  /** The number of downloads that the share still allows; null when it has no limit. */
  readonly downloadsLeft: number | null
}

/** A guest's request to see an entry of a share. */
export type ShareVisit = OpenShareRequest & {
  /** True when the path ends with a slash. */
  readonly isFolder: boolean
  /** True when the request counts as a visit. */
  readonly isCounted: boolean
  /** True when the client accepts a folder in the row format. */
  readonly wantsRows: boolean
  readonly reading: ResponseMemory
}

/** Describes the shared entry, or an entry below it. */
export async function showSharedEntry(
  dependencies: VisitShareDependencies,
  visit: ShareVisit,
): Promise<SharedEntryView> {
  const guest = await admitGuest(dependencies, visit)
  const { mode, expiresAtSeconds, senderName } = guest.share
  const terms = { senderName, downloadsLeft: downloadsLeftOf(guest.share) }
  const isSharedEntry = guest.share.kind === 'file' || guest.below.length === 0
  if (visit.isCounted) dependencies.uses.countVisit(guest.share, { address: visit.address, isSharedEntry })
  const { signal, reading, wantsRows: asRows } = visit
  if (mode === 'upload-only')
    return {
      description: await describeDrop(dependencies, guest),
      token: guest.token,
      expiresAtSeconds: null,
      ...terms,
    }
  const opened = await openShare(guest)
  const { storage, path, token } = opened
  const entry = await entryAt(opened, signal)
  const responseFields = {
    ...guestNamesOf(opened, visit.isFolder),
    ...(token === null ? {} : { token }),
    ...(mode === 'download' ? {} : { shareMode: mode }),
  }
  const shown = { storage, entry, path, responseFields, asRows, signal, reading }
  return { description: await dependencies.describeEntry(shown), token, expiresAtSeconds, ...terms }
}

const downloadsLeftOf = ({ maxDownloads, downloads }: StoredShare): number | null =>
  maxDownloads === null ? null : Math.max(0, maxDownloads - downloads)

/** A guest's request to download an entry of a share. */
export type ShareDownload = OpenShareRequest & {
  readonly isInline: boolean
  /** True when the browser opens the address of the file by itself, and not as a part of a page. */
  readonly opensAlone: boolean
  /** True for a request of the whole entry, also for one that only asks whether it could be downloaded. */
  readonly isWhole: boolean
}

/** A shared entry to send to a guest, with the storage of the share. */
export type SharedContent = Pick<OpenedShare, 'share' | 'storage' | 'path' | 'token'> & {
  /** The name of the entry; empty when the whole scope is shared. */
  readonly name: string
  /** The open file. Null for a folder. */
  readonly file: OpenFile | null
}

/** Opens the shared entry, or an entry below it, for sending it to a guest. */
export async function openSharedEntry(
  dependencies: OpenShareDependencies,
  download: ShareDownload,
): Promise<SharedContent> {
  const { isInline, opensAlone, isWhole, signal } = download
  const opened = await openSharedPath(dependencies, download)
  const { share, storage, path, token } = opened
  // A download is counted when its first byte is sent. Most of those that are refused then are refused here already.
  if (isWhole) requireDownloadsLeft(share)
  // A share that is for viewing only sends no archives and no attachments (decision 71). A browser saves a file that it
  // cannot show, so an address that is opened by itself is refused.
  const isViewOnly = opened.mode === 'view-only'
  if (isViewOnly && (!isInline || opensAlone)) throw new AppError('forbidden')
  const { name } = guestNamesOf(opened, false)
  if (!isFolder(await entryAt(opened, signal)))
    return { share, storage, path, token, name, file: await storage.open(path, { signal }) }
  if (isViewOnly) throw new AppError('forbidden')
  // An archive is always sent from its start, so it is not begun when it would be refused.
  requireDownloadsLeft(share)
  return { share, storage, path, token, name, file: null }
}

/** Opens a share for reading, without looking up the entry. Throws `forbidden` for an upload-only share. */
export const openSharedPath = async (
  dependencies: OpenShareDependencies,
  visit: OpenShareRequest,
): Promise<OpenedShare> => openShare(await admitGuest(dependencies, visit))

/**
 * Describes an upload-only share without anything that is in its folder. Paths below it are refused, whether or not
 * they exist.
 */
async function describeDrop(
  { maxFileBytes, receivedFiles }: Pick<VisitShareDependencies, 'maxFileBytes' | 'receivedFiles'>,
  { share, at, below, token }: AdmittedGuest,
): Promise<PublicDrop> {
  if (below.length > 0) throw new AppError('forbidden')
  const hasFileLimit = share.maxFiles !== null && share.maxFiles > 0
  return {
    shareMode: 'upload-only',
    name: nameOf(at),
    expire: share.expiresAtSeconds ?? 0,
    maxFiles: share.maxFiles ?? 0,
    maxBytes: share.maxBytes ?? 0,
    maxFileBytes,
    // A guest could also find out by sending files how many the limit leaves. Without a limit, nobody needs to know.
    ...(hasFileLimit && { receivedFiles: (await receivedFiles.totals(share.hash)).files }),
    ...(token === null ? {} : { token }),
  }
}

async function entryAt({ storage, path }: OpenedShare, signal: AbortSignal): Promise<Entry> {
  const entry = await storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  return entry
}

/**
 * Returns the path and name of the entry as a guest sees them. The guest's root is the shared entry, which keeps its
 * own name (contract 9.6).
 */
function guestNamesOf({ kind, path, name }: OpenedShare, endsWithSlash: boolean) {
  if (kind === 'file') return { path: '', name }
  if (path === root) return { path, name }
  return { path: endsWithSlash ? `${path}/` : path, name: nameOf(path) }
}
