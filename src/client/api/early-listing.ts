import { routes } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'
import { registerPersonal } from '../state/personal.ts'
import { userOf, userOfToken } from '../state/session.ts'
import { tabHeaders } from './call.ts'
import { href } from './href.ts'

export type EarlyListingAddress = { readonly path: Path; readonly isFolder: boolean }

/** The media types of a listing: rows, or JSON from a server without rows. The listing sends the same value. */
const acceptedTypes = 'application/x-ndjson, application/json'

/** A request for the first folder or file that was sent before the session was renewed. */
type EarlyListing = EarlyListingAddress & {
  readonly userId: number | undefined
  readonly response: Promise<Response | null>
  readonly abort: AbortController
}

let pending: EarlyListing | null = null

/**
 * Requests the folder or file of the first address with the saved token, while the session is being renewed. The first
 * rows then arrive one round trip earlier.
 */
export function requestEarlyListing({ path, isFolder }: EarlyListingAddress, token: string): void {
  const abort = new AbortController()
  const response = fetch(href('resources.get', { path, isFolder }), {
    method: routes['resources.get'].method,
    headers: { ...tabHeaders(token), accept: acceptedTypes },
    signal: abort.signal,
  }).catch(() => null)
  pending = { path, isFolder, userId: userOfToken(token)?.id, response, abort }
}

/**
 * Returns the response that was requested early for an address, once. Returns null when there is none for this address
 * and user, and when the server refused it, for example because the saved token had expired. The caller then sends an
 * ordinary request.
 */
export async function takeEarlyListing(
  { path, isFolder }: EarlyListingAddress,
  signal: AbortSignal,
): Promise<Response | null> {
  const early = pending
  pending = null
  if (early === null) return null
  if (early.path !== path || early.isFolder !== isFolder || early.userId !== userOf()?.id) {
    early.abort.abort()
    return null
  }
  signal.addEventListener('abort', () => early.abort.abort())
  const response = await early.response
  signal.throwIfAborted()
  return response?.ok === true ? response : null
}

registerPersonal({
  drop: () => {
    pending?.abort.abort()
    pending = null
  },
})
