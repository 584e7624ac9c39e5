import {
  abortUpload,
  beginUpload,
  continueUpload,
  partMediaType,
  showUpload,
} from '../../shared/contract/tus.ts'
import type { Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { encodePath } from '../../shared/domain/path.ts'
import { keptModifiedMs } from '../http/request/kept-modified-time.ts'
import { lossHeaders } from '../http/response/loss-headers.ts'
import { route, type OperationRequest, type Route, type RouteResponse } from '../http/route.ts'
import { statOrNull } from '../storage/stat-or-null.ts'
import { appendToUpload } from './append-to-upload.ts'
import { cancelUpload } from './cancel-upload.ts'
import { createUpload } from './create-upload.ts'
import { expireUploads } from './expiry.ts'
import { createPartsInFlight } from './parts-in-flight.ts'
import { uploadPosition } from './upload-position.ts'
import type { UploadDependencies } from './upload-steps.ts'

export type UploadRouteDependencies = UploadDependencies & {
  /** The server's base path, without a trailing slash. Empty when the server has no base path. */
  readonly basePath: string
}

/**
 * The dependencies of `startUploads`. `onFault` receives the errors of the timer that removes expired uploads, because
 * no request reports these errors.
 */
export type StartUploadsDependencies = Omit<UploadRouteDependencies, 'partsInFlight'> & {
  readonly onFault: (error: unknown) => void
}

/** Returns the routes below `/api/tus`. */
export const uploadRoutes = (dependencies: UploadRouteDependencies): readonly Route[] => [
  route(beginUpload, (request) => begin(dependencies, request)),
  route(showUpload, async ({ caller, path }) => {
    const { receivedBytes, sizeBytes } = await uploadPosition(dependencies, caller, path)
    const lengths = { 'Upload-Offset': String(receivedBytes), 'Upload-Length': String(sizeBytes) }
    return { kind: 'status', status: 200, headers: { ...lengths, 'Cache-Control': 'no-store' } }
  }),
  route(continueUpload, (request) => append(dependencies, request)),
  route(abortUpload, async ({ caller, path }) => {
    await cancelUpload(dependencies, caller, path)
    return { kind: 'status', status: 204 }
  }),
]

async function begin(
  dependencies: UploadRouteDependencies,
  { caller, path, isFolder, query, header, signal }: OperationRequest<typeof beginUpload>,
): Promise<RouteResponse> {
  const sizeBytes = plainNumber(header('upload-length'))
  if (isFolder) {
    // The response for a denied path is `forbidden`, with or without a slash at its end.
    await statOrNull(caller.storage, path)
    throw new AppError('bad-request', { reason: 'a folder cannot be uploaded' })
  }
  const mayReplace = query.override === 'true'
  const modifiedMs = (replaced: Entry | null) => keptModifiedMs(header, replaced)
  await createUpload(dependencies, caller, { path, sizeBytes, mayReplace, modifiedMs, signal })
  const location = `${dependencies.basePath}/api/tus${encodePath(path)}`
  return { kind: 'status', status: 201, headers: { Location: location } }
}

async function append(
  dependencies: UploadRouteDependencies,
  { caller, path, header, bytes: body, sizeBytes, signal }: OperationRequest<typeof continueUpload>,
): Promise<RouteResponse> {
  // This check comes first, so that the response for a denied path is `forbidden` even when the request has other
  // errors.
  await statOrNull(caller.storage, path)
  if (header('content-type')?.trim().toLowerCase() !== partMediaType) throw new AppError('wrong-media-type')
  const offsetBytes = plainNumber(header('upload-offset'))
  if (offsetBytes === null) throw new AppError('bad-request', { reason: 'Upload-Offset is not a number' })
  const part = { path, offsetBytes, body, sizeBytes, signal }
  const { receivedBytes, losses } = await appendToUpload(dependencies, caller, part)
  const headers = { 'Upload-Offset': String(receivedBytes), ...lossHeaders(losses) }
  return { kind: 'status', status: 204, headers }
}

/**
 * Parses a header whose value is a non-negative decimal integer below 2^53. Returns null for all other values and for a
 * missing header (contract 4).
 */
function plainNumber(text: string | undefined): number | null {
  if (text === undefined || !/^[0-9]{1,16}$/.test(text)) return null
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : null
}

/** Interval between two removals of expired uploads: 10 minutes, the shorter of the two retention times. */
const expiryMs = 10 * 60_000

/**
 * Creates the upload routes, and removes expired uploads immediately and then every ten minutes until `stop` is called.
 * `stop` waits for a removal that is in progress.
 */
export function startUploads(options: StartUploadsDependencies): {
  readonly routes: readonly Route[]
  readonly stop: () => Promise<unknown>
} {
  const dependencies: UploadRouteDependencies = { ...options, partsInFlight: createPartsInFlight() }
  const removeExpired = (): Promise<unknown> => expireUploads(dependencies).catch(options.onFault)
  let removal = removeExpired()
  const timer = setInterval(() => {
    removal = removeExpired()
  }, expiryMs).unref()
  return {
    routes: uploadRoutes(dependencies),
    async stop() {
      clearInterval(timer)
      await removal
    },
  }
}
