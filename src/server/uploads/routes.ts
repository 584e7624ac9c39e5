import { abortUpload, beginUpload, continueUpload, showUpload } from '../../shared/contract/tus.ts'
import { route, type Route } from '../http/route.ts'
import { cancelUpload } from './cancel-upload.ts'
import { createUpload } from './create-upload.ts'
import type { UploadDependencies } from './upload-steps.ts'
import { expireUploads } from './expiry.ts'
import { appendToUpload } from './append-to-upload.ts'
import { createPartsInFlight } from './parts-in-flight.ts'
import { showUploadOffset } from './show-upload-offset.ts'

/**
 * The dependencies of `startUploads`. `onFault` receives the errors of the timer that removes expired uploads, because
 * no request reports these errors.
 */
export type StartUploadsDependencies = Omit<UploadDependencies, 'partsInFlight'> & {
  readonly onFault: (error: unknown) => void
}

/** Returns the routes below `/api/tus`. */
export const uploadRoutes = (dependencies: UploadDependencies): readonly Route[] => [
  route(beginUpload, (request) => createUpload(dependencies, request)),
  route(showUpload, (request) => showUploadOffset(dependencies, request)),
  route(continueUpload, (request) => appendToUpload(dependencies, request)),
  route(abortUpload, (request) => cancelUpload(dependencies, request)),
]

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
  const dependencies: UploadDependencies = { ...options, partsInFlight: createPartsInFlight() }
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
