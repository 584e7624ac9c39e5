import {
  createResource,
  removeResource,
  saveResource,
  transferResource,
  type TransferQuery,
} from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { conflictName, numberedName } from '../../shared/domain/names.ts'
import { encodePath, root } from '../../shared/domain/path.ts'
import { keptModifiedMs } from '../http/request/kept-modified-time.ts'
import { lossHeaders } from '../http/response/loss-headers.ts'
import { matchesEtag } from '../http/response/preconditions.ts'
import { done, route, type OperationRequest, type Route, type RouteResponse } from '../http/route.ts'
import type { ChangedEntry } from '../storage/change.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { createFile, createFolder } from './create-entry.ts'
import { destinationOf } from './destination.ts'
import { removeEntry } from './remove-entry.ts'
import { saveFile } from './save-file.ts'
import { transferEntry, type ConflictAction, type Transfer } from './transfer-entry.ts'

/** The routes that change files. Each of them translates a request to a change, and its result to a response. */
export const changeRoutes: readonly Route[] = [
  route(createResource, create),
  route(saveResource, save),
  route(transferResource, transfer),
  route(removeResource, async ({ caller, path, signal }) => {
    await removeEntry(caller, path, signal)
    return done
  }),
]

/** Creates a folder when the path ends with a slash, and otherwise a file with the request's body as its content. */
async function create(request: OperationRequest<typeof createResource>): Promise<RouteResponse> {
  const { caller, path, query, header, bytes: body, sizeBytes, signal } = request
  if (request.isFolder || path === root) {
    await createFolder(caller, path, signal)
    return { kind: 'status', status: 200 }
  }
  const mayReplace = query.override === 'true'
  const modifiedMs = (replaced: Parameters<typeof keptModifiedMs>[1]) => keptModifiedMs(header, replaced)
  return savedResponse(await createFile(caller, { path, body, sizeBytes, mayReplace, modifiedMs }, signal))
}

async function save(request: OperationRequest<typeof saveResource>): Promise<RouteResponse> {
  const { caller, path, isFolder, bytes: body, sizeBytes, header, signal } = request
  if (isFolder) {
    // The response for a denied path is `forbidden`, with or without a slash at its end.
    await statOrNull(caller.storage, path)
    throw new AppError('method-not-allowed')
  }
  const ifMatch = header('if-match')
  const mayReplace =
    ifMatch === undefined || ifMatch.trim() === '*'
      ? null
      : (etag: string) => matchesEtag(ifMatch, etag, 'strong')
  return savedResponse(await saveFile(caller, { path, body, sizeBytes, mayReplace }, signal))
}

const savedResponse = ({ etag, losses }: ChangedEntry): RouteResponse => ({
  kind: 'status',
  status: 200,
  headers: { ETag: `"${etag}"`, ...lossHeaders(losses) },
})

async function transfer(request: OperationRequest<typeof transferResource>): Promise<RouteResponse> {
  const { caller, path: from, query, signal } = request
  const to = destinationOf(query.destination)
  const verb = verbs.get(query.action ?? '')
  if (verb === undefined) {
    // The response for a denied path is `forbidden` even when the request has other errors.
    await statOrNull(caller.storage, from)
    await statOrNull(caller.storage, to)
    throw new AppError('bad-request', { reason: 'unknown action' })
  }
  const { at, losses } = await transferEntry(
    caller,
    {
      verb,
      from,
      to,
      onConflict: onConflictOf(query),
      needsModify: query.override === 'true',
      // Clients of File Browser expect `x.tar(1).gz` and `(1).bashrc`. Ours asks for `x(1).tar.gz` and `.bashrc(1)`.
      candidateOf: query.wholeExtension === 'true' ? conflictName : numberedName,
    },
    signal,
  )
  const headers = { 'Content-Location': encodePath(at), ...lossHeaders(losses) }
  return { kind: 'status', status: 200, headers }
}

/** The transfers that the actions of a query stand for. */
const verbs: ReadonlyMap<string, Transfer['verb']> = new Map([
  ['copy', 'copy'],
  ['rename', 'move'],
])

/** Of the two flags in the query, `rename` takes precedence over `override`. */
function onConflictOf({ override, rename }: TransferQuery): ConflictAction {
  if (rename === 'true') return 'rename'
  return override === 'true' ? 'overwrite' : 'refuse'
}
