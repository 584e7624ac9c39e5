import { sharePasswordHeader } from '../../shared/contract/entry-headers.ts'
import { listTakenPublic } from '../../shared/contract/previews.ts'
import { rowsMediaType } from '../../shared/contract/resources.ts'
import {
  downloadPublic,
  dropFile,
  previewPublic,
  showPublic,
  type PublicDownloadQuery,
} from '../../shared/contract/shares.ts'
import { keptModifiedMs } from '../http/request/kept-modified-time.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import {
  done,
  route,
  type BeforeBytes,
  type OperationRequest,
  type Route,
  type RouteResponse,
  type UntypedRequest,
} from '../http/route.ts'
import type { OpenFile } from '../storage/port.ts'
import { isUsedUp } from './count-uses.ts'
import { guestDetailsOf } from './guest-details.ts'
import type { OpenShareRequest } from './open-share.ts'
import { receiveFile, type ReceiveFileDependencies } from './receive-file.ts'
import {
  openSharedEntry,
  openSharedPath,
  showSharedEntry,
  type SharedContent,
  type SharedEntryView,
  type VisitShareDependencies,
} from './visit-share.ts'

/** A request to send a shared folder as an archive. */
export type SharedFolderRequest = Omit<SharedContent, 'share' | 'file' | 'token'> & {
  readonly query: Pick<PublicDownloadQuery, 'files' | 'algo'>
  readonly signal: AbortSignal
  readonly address: string
}

/** A guest's request for a part of a shared media file. */
export type SharedRemuxRequest = {
  readonly file: OpenFile
  readonly from: string
  readonly signal: AbortSignal
  readonly address: string
}

/** A guest's request for a preview of a shared file. */
export type SharedPreviewRequest = Pick<SharedContent, 'storage' | 'path'> & {
  readonly size: string
  readonly query: { readonly poster?: string | undefined }
  readonly header: UntypedRequest['header']
  readonly signal: AbortSignal
  readonly address: string
}

/** A guest's request for the times at which the pictures in a shared folder were taken. */
export type SharedTakenRequest = Pick<SharedContent, 'storage' | 'path'> &
  Pick<UntypedRequest, 'reading' | 'signal'> & { readonly address: string; readonly hasSizes: boolean }

export type GuestRouteDependencies = VisitShareDependencies &
  ReceiveFileDependencies & {
    readonly sendFolder: (sent: SharedFolderRequest) => Promise<RouteResponse>
    /** Sends a part of a media file in a container that browsers play. */
    readonly sendRemuxed: (sent: SharedRemuxRequest) => Promise<RouteResponse>
    /** Sends a preview of an image or of a file of which a picture can be drawn. */
    readonly sendPreview: (sent: SharedPreviewRequest) => Promise<RouteResponse>
    readonly sendTaken: (sent: SharedTakenRequest) => Promise<RouteResponse>
  }

/** The routes under `/api/public`. */
export const guestRoutes = (dependencies: GuestRouteDependencies): readonly Route[] => [
  route(showPublic, async (request) => {
    const { isFolder, reading, isHead, header } = request
    const wantsRows = header('accept')?.includes(rowsMediaType) ?? false
    const visit = { ...visitOf(request), isFolder, reading, wantsRows, isCounted: !isHead }
    const shown = await showSharedEntry(dependencies, visit)
    const { description, token, expiresAtSeconds, senderName, downloadsLeft } = shown
    // Headers contain the end, the sender and the limit of the share, because clients of File Browser know the fields of the body (decision 91).
    const headers = {
      ...(expiresAtSeconds !== null && { 'x-share-expires': String(expiresAtSeconds) }),
      ...(senderName !== '' && { 'x-share-sender': encodeURIComponent(senderName) }),
      ...(downloadsLeft !== null && { 'x-share-downloads-left': String(downloadsLeft) }),
    }
    return withoutCaching(token, { ...(wantsRows ? rowsResponse : jsonResponse)(description), headers })
  }),
  route(dropFile, async (request) => {
    const { isFolder, bytes, sizeBytes, header } = request
    await receiveFile(dependencies, {
      ...visitOf(request),
      isFolder,
      bytes,
      sizeBytes,
      modifiedMs: keptModifiedMs(header, null),
      details: () => guestDetailsOf(header),
    })
    return done
  }),
  route(downloadPublic, (request) => download(dependencies, request)),
  route(previewPublic, async (request) => {
    const { params, query, header, signal, client } = request
    const { storage, path, token } = await openSharedPath(dependencies, visitOf(request))
    const sent = { storage, path, size: params.size, query, header, signal, address: client.address }
    return withoutCaching(token, await dependencies.sendPreview(sent))
  }),
  route(listTakenPublic, async (request) => {
    const { query, reading, signal, client } = request
    const { storage, path, token } = await openSharedPath(dependencies, visitOf(request))
    const hasSizes = query.sizes === 'true'
    const sent = { storage, path, hasSizes, reading, signal, address: client.address }
    return withoutCaching(token, await dependencies.sendTaken(sent))
  }),
]

/** Returns the response with the rows of a folder, or with the JSON of an entry that has no rows. */
const rowsResponse = (description: SharedEntryView['description']): RouteResponse =>
  Symbol.asyncIterator in description
    ? { kind: 'stream', contentType: rowsMediaType, chunks: description }
    : jsonResponse(description)

/** Sends the shared entry: a file as it is, a folder as an archive. */
async function download(
  dependencies: GuestRouteDependencies,
  request: OperationRequest<typeof downloadPublic>,
): Promise<RouteResponse> {
  const { query, signal, header, isHead } = request
  const { address } = request.client
  const isInline = query.inline === 'true'
  const opensAlone = header('sec-fetch-dest') === 'document'
  // The parts into which a film is remuxed are parts of one file, of which no part is the first one.
  const isPart = query.remux !== undefined
  const isWhole = isHead || (header('range') === undefined && !isPart)
  const opened = await openSharedEntry(dependencies, { ...visitOf(request), isInline, opensAlone, isWhole })
  const { share, file, token, ...folder } = opened
  const tag = file?.entry.etag ?? ''
  const beforeBytes: BeforeBytes = ({ isFromStart }) =>
    dependencies.uses.countDownload(share, { address, tag, isFromStart: isFromStart && !isPart })
  async function sendRemuxed(sent: SharedRemuxRequest): Promise<RouteResponse> {
    // A conversion is expensive, so it is not begun when its result would be refused. A link that is used up counts nothing.
    if (isUsedUp(share))
      await beforeBytes({ isFromStart: false }).catch(async (error: unknown) => {
        await sent.file.close()
        throw error
      })
    return dependencies.sendRemuxed(sent)
  }
  const response: RouteResponse =
    file === null
      ? await dependencies.sendFolder({ ...folder, query, signal, address })
      : query.remux === undefined
        ? { kind: 'file', file, isInline }
        : await sendRemuxed({ file, from: query.remux, signal, address })
  const isCounted = response.kind === 'file' || response.kind === 'download'
  return withoutCaching(token, isCounted ? { ...response, beforeBytes } : response)
}

/** The parts of a request to a public link from which the guest is admitted. */
type GuestRequest = Pick<UntypedRequest, 'path' | 'header' | 'client' | 'signal' | 'runUnderPass'> & {
  readonly query: { readonly token?: string }
}

/** Returns what the admission of a guest needs from a request. */
const visitOf = ({ path, query, header, client, signal, runUnderPass }: GuestRequest): OpenShareRequest => ({
  path,
  token: query.token,
  passwords: passwordCandidates(header(sharePasswordHeader) ?? ''),
  address: client.address,
  signal,
  runUnderPass,
})

/**
 * Returns the distinct passwords that a header may represent: its bytes as they are, and its percent-decoded text,
 * because newer clients encode the password (A13). Node decodes a header as Latin-1, so its UTF-8 bytes are restored
 * first.
 */
function passwordCandidates(header: string): string[] {
  const bytes = Buffer.from(header, 'latin1').toString('utf8')
  const all = [bytes.isWellFormed() && !bytes.includes('\uFFFD') ? bytes : header, decoded(header)]
  return [...new Set(all)].filter((text) => text !== '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Adds the header that forbids caching of the response if the share has a password, and therefore a token. */
const withoutCaching = (token: string | null, response: RouteResponse): RouteResponse =>
  token === null
    ? response
    : { ...response, headers: { ...response.headers, 'cache-control': 'private, no-store' } }
