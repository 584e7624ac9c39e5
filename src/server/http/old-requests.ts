import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { OldRequestReason } from '../../shared/domain/old-requests.ts'
import type { RouteMatch } from './request/route-table.ts'
import type { OldRequest } from './route.ts'

/** Validates the tokens of requests, and counts the requests that File Browser would have answered differently. */
export type OldRequestObserver = {
  /** Returns true for a valid token, also of a session that has ended. */
  readonly isToken: (text: string) => boolean
  readonly count: (request: OldRequest) => void
}

/** The places of a request in which clients send a token. */
export type TokenPlaces = {
  readonly endpoint: Endpoint
  readonly isRead: boolean
  readonly header: string | undefined
  readonly cookies: readonly string[]
  readonly query: string | undefined
  /** True when the endpoint accepts a token in the query of this request. */
  readonly acceptsQuery: boolean
  /** True when a page of another server sent the request. */
  readonly isForeign: boolean
}

/** Returns why later versions of File Browser would have refused a request that was admitted, or null. */
export function differenceInAdmitted(
  { header, query }: TokenPlaces,
  isToken: OldRequestObserver['isToken'],
): OldRequestReason | null {
  const usesQuery = query !== undefined && (header === undefined || !isToken(header))
  return usesQuery && isToken(query) ? 'token-in-url' : null
}

/**
 * Returns the reason why File Browser would have admitted a request that was refused, or null. File Browser
 * refused requests without a valid token as well.
 */
export function differenceInRefused(
  { endpoint, isRead, header, cookies, query, acceptsQuery, isForeign }: TokenPlaces,
  isToken: OldRequestObserver['isToken'],
): OldRequestReason | null {
  if (endpoint.audience === 'anyone') return null
  const isInHeader = header !== undefined && isToken(header)
  const isInQuery = query !== undefined && isToken(query)
  const isInCookie = cookies.slice(0, 10).some(isToken)
  if (isForeign) return isInHeader || isInQuery || isInCookie ? 'other-site' : null
  if (isInHeader) return null
  if (isInQuery && !acceptsQuery) return 'token-in-url-refused'
  return isInCookie && !isRead ? 'cookie-for-change' : null
}

/** The calls that File Browser answered for every method. */
const callsOfAnyMethod = ['/api/login', '/api/signup', '/api/renew']

/** The first segments of the calls that only File Browser 1 had. */
const removedCalls = ['auth', 'checksum', 'commands', 'download', 'plugins', 'resource']

/**
 * Returns why File Browser would have answered a request that matches no call, with the pattern of its route. Returns
 * null for a request that File Browser did not answer either.
 */
export function differenceInUnrouted(
  match: RouteMatch,
  method: string,
  path: string,
): Pick<OldRequest, 'reason' | 'route'> | null {
  // Browsers send OPTIONS (a preflight) before a request from a page of another server.
  if (match.kind === 'wrong-method' && method !== 'OPTIONS' && callsOfAnyMethod.includes(path))
    return { reason: 'login-method', route: path }
  if (match.kind !== 'unknown') return null
  const name = /^\/api\/(?<name>[a-z]+)(\/|$)/.exec(path)?.groups?.['name']
  return name !== undefined && removedCalls.includes(name)
    ? { reason: 'removed-route', route: `/api/${name}/*` }
    : null
}
