import type {
  downloadPublic,
  PublicDownloadQuery,
  PublicDrop,
  PublicResource,
  showPublic,
} from '../../shared/contract/shares.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import type { RouteResponse, OperationRequest, ClientConnection, UntypedRequest } from '../http/route.ts'
import type { ReceivedFileStore } from '../records/port.ts'
import type { OperationOptions } from '../storage/change.ts'
import type { OpenFile, Storage } from '../storage/port.ts'
import {
  admitGuest,
  openShare,
  type AdmittedGuest,
  type OpenedShare,
  type OpenShareDependencies,
} from './open-share.ts'
import { visitOf } from './guest-visit.ts'

/** A request to describe a shared entry to a guest. */
export type SharedEntryRequest = OperationOptions & {
  /** The memory of folders that guests read slowly. */
  readonly reading: UntypedRequest['reading']
  readonly storage: Storage
  readonly entry: Entry
  /** The entry's path in the storage. */
  readonly path: Path
  /** The fields of the response that cannot be derived from the entry. */
  readonly responseFields: Pick<PublicResource, 'path' | 'name' | 'token' | 'shareMode'>
}

/** A request to send a shared folder as an archive. */
export type SharedFolderRequest = {
  readonly storage: Storage
  readonly path: Path
  /** The name of the archive without extension; empty when the whole scope is shared. */
  readonly name: string
  readonly query: Pick<PublicDownloadQuery, 'files' | 'algo'>
  readonly signal: AbortSignal
  readonly client: ClientConnection
}

/** A guest's request for a part of a shared media file. */
export type SharedRemuxRequest = {
  readonly file: OpenFile
  readonly from: string
  readonly signal: AbortSignal
  readonly client: ClientConnection
}

export type VisitShareDependencies = OpenShareDependencies & {
  readonly showEntry: (shown: SharedEntryRequest) => Promise<RouteResponse>
  readonly sendFolder: (sent: SharedFolderRequest) => Promise<RouteResponse>
  /** The maximum size of an uploaded file, in bytes. 0 when there is no limit. */
  readonly maxFileBytes: number
  readonly receivedFiles: Pick<ReceivedFileStore, 'totals'>
  /** Sends a part of a media file in a container that browsers play. */
  readonly sendRemuxed: (sent: SharedRemuxRequest) => Promise<RouteResponse>
}

/** Describes the shared entry, or an entry below it. */
export async function showSharedEntry(
  dependencies: VisitShareDependencies,
  request: OperationRequest<typeof showPublic>,
): Promise<RouteResponse> {
  const guest = await admitGuest(dependencies, visitOf(request))
  if (guest.share.mode === 'upload-only') return showDrop(dependencies, guest)
  const opened = await openShare(guest)
  const { storage, path, token, mode } = opened
  const entry = await entryAt(opened, request.signal)
  const expires = guest.share.expiresAtSeconds
  const responseFields = {
    ...guestNamesOf(opened, request.isFolder),
    ...(token === null ? {} : { token }),
    ...(mode === 'download' ? {} : { shareMode: mode }),
  }
  const shown = await dependencies.showEntry({
    storage,
    entry,
    path,
    responseFields,
    signal: request.signal,
    reading: request.reading,
  })
  // A header contains the end of the share, because clients of File Browser know the fields of the body (decision 91).
  const headers = { ...shown.headers, ...(expires === null ? {} : { 'x-share-expires': String(expires) }) }
  return withoutCaching(opened, { ...shown, headers })
}

/** Sends the shared entry: a file as it is, a folder as an archive. */
export async function downloadShared(
  dependencies: VisitShareDependencies,
  request: OperationRequest<typeof downloadPublic>,
): Promise<RouteResponse> {
  const { query, signal, client } = request
  const opened = await openShare(await admitGuest(dependencies, visitOf(request)))
  const { storage, path } = opened
  const isInline = query.inline === 'true'
  // A share that is for viewing only sends no archives and no attachments (decision 71). A browser saves a file that it
  // cannot show, so an address that is opened by itself is refused.
  const opensAlone = request.header('sec-fetch-dest') === 'document'
  if (opened.mode === 'view-only' && (!isInline || opensAlone)) throw new AppError('forbidden')
  const { name } = guestNamesOf(opened, false)
  if (isFolder(await entryAt(opened, signal))) {
    if (opened.mode === 'view-only') throw new AppError('forbidden')
    return withoutCaching(
      opened,
      await dependencies.sendFolder({ storage, path, name, query, signal, client }),
    )
  }
  const file = await storage.open(path, { signal })
  const response: RouteResponse =
    query.remux === undefined
      ? { kind: 'file', file, isInline }
      : await dependencies.sendRemuxed({ file, from: query.remux, signal, client })
  return withoutCaching(opened, response)
}

/**
 * Describes an upload-only share without anything that is in its folder. Paths below it are refused, whether or not
 * they exist.
 */
async function showDrop(
  { maxFileBytes, receivedFiles }: Pick<VisitShareDependencies, 'maxFileBytes' | 'receivedFiles'>,
  { share, at, below, token }: AdmittedGuest,
): Promise<RouteResponse> {
  if (below.length > 0) throw new AppError('forbidden')
  const hasFileLimit = share.maxFiles !== null && share.maxFiles > 0
  const json: PublicDrop = {
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
  return withoutCaching({ token }, { kind: 'json', json })
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

/** Adds the header that forbids caching of the response if the share has a password. */
const withoutCaching = ({ token }: Pick<OpenedShare, 'token'>, response: RouteResponse): RouteResponse =>
  token === null
    ? response
    : { ...response, headers: { ...response.headers, 'cache-control': 'private, no-store' } }
