import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { ParameterTypes } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { RequestCredentials, Authenticator, AuthenticatedCaller } from './authenticator.ts'
import { changeOriginOf } from './request/change-origin.ts'
import { cookiesNamed } from './request/cookies.ts'
import { foreignOriginError } from './request/foreign-origin.ts'
import { isNavigation, checkOrigin, type OriginCheckResult } from './request/origin.ts'
import type { ClientConnection } from './route.ts'

/** The parts of the server and of its configuration that `admit` uses. */
export type AdmissionDependencies = {
  readonly authenticator: Authenticator
  readonly basePath: string
  readonly trustedOrigins: readonly string[]
  readonly disableTokenInUrl: boolean
}

/** The parts of a request on which its admission depends. */
export type AdmissionRequest = {
  readonly endpoint: Endpoint
  readonly method: string
  readonly header: (name: string) => string | undefined
  /** Returns each value of a header by its lower-case name. */
  readonly headerValues: (name: string) => readonly string[]
  /** The decoded path of the request. */
  readonly path: Path
  /** The value of the query key `auth`. Undefined when the key is missing. */
  readonly queryToken: string | undefined
  /**
   * True when the response is displayed inside a page, for example as a video. The browser may then request it several
   * times and in ranges.
   */
  readonly isInline: boolean
  readonly client: Pick<ClientConnection, 'isSecure' | 'isProxy' | 'agent' | 'address'>
  /**
   * True for an upgrade request. It may differ from `isSocket` of the endpoint, because a request without an upgrade can
   * reach an endpoint that accepts sockets.
   */
  readonly isUpgrade: boolean
}

/**
 * Checks the origin of a request and authenticates its caller. Throws `foreign-origin` (403) for a request from a page of
 * another server, `bad-request` (400) for an `X-Origin` that is too long, and `not-signed-in` (401) for missing or invalid
 * credentials. Permissions are checked later, by
 * `authorise` (contract 2.2, security 3.2). For a socket, the caller is authenticated before the origin is
 * checked (contract 12.1). Returns undefined for an endpoint that anyone may call, because such an endpoint ignores
 * credentials.
 */
export function admit(
  admission: AdmissionDependencies,
  request: AdmissionRequest,
): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller> {
  const verdict = originOf(admission, request)
  const refuseCrossOrigin = (): void => {
    if (!isRefused(request, verdict) || !isOriginChecked(request)) return
    throw foreignOriginError(request, verdict.evidence)
  }
  const isSocket = request.endpoint.isSocket === true
  if (!isSocket) refuseCrossOrigin()
  if (request.endpoint.audience === 'anyone') return undefined
  const requireCaller = (recognised: AuthenticatedCaller | null): AuthenticatedCaller => {
    if (recognised === null) throw new AppError('not-signed-in')
    if (isSocket) refuseCrossOrigin()
    return recognised
  }
  const recognised = admission.authenticator.recognise(credentialsOf(admission, request, verdict), {
    kind: 'call',
    call: request.endpoint.route,
    origin: changeOriginOf(request.header('x-origin')),
    address: request.client.address,
  })
  return recognised instanceof Promise ? recognised.then(requireCaller) : requireCaller(recognised)
}

/**
 * Throws `forbidden` when the caller may not call the endpoint. This check is separate from `admit`, so that the
 * response to an authenticated caller whose request is refused can still request a renewal of the token.
 */
export function authorise(endpoint: Endpoint, caller: Caller, params: Partial<ParameterTypes>): void {
  const isInAudience =
    endpoint.audience === 'admin'
      ? caller.may('admin')
      : endpoint.audience !== 'self-or-admin' || caller.user.id === params.id || caller.may('admin')
  if (!isInAudience) throw new AppError('forbidden')
  if (endpoint.needs !== undefined && !caller.may(endpoint.needs))
    throw new AppError('forbidden', { permission: endpoint.needs })
}

const originOf = (
  { trustedOrigins }: Pick<AdmissionDependencies, 'trustedOrigins'>,
  { header, client }: AdmissionRequest,
): OriginCheckResult =>
  checkOrigin(
    {
      site: header('sec-fetch-site'),
      origin: header('origin'),
      host: header('host'),
      forwarded: client.isProxy
        ? { host: header('x-forwarded-host'), port: header('x-forwarded-port') }
        : null,
    },
    trustedOrigins,
  )

/**
 * True for a request from a page of another server. A socket can be opened with a cookie alone, so it also needs the
 * right port.
 */
const isRefused = (
  { isUpgrade }: AdmissionRequest,
  verdict: OriginCheckResult,
): verdict is Extract<OriginCheckResult, { readonly evidence: unknown }> =>
  verdict.kind === 'foreign' || (verdict.kind === 'own-host' && isUpgrade)

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * True for requests that a page of another server must not send: changes, socket handshakes, and reads of private files
 * that the page could embed. Private files are read from the endpoints that accept a token in the URL. Links to these
 * endpoints may be followed from any page.
 */
function isOriginChecked({ endpoint, method, header, isUpgrade }: AdmissionRequest): boolean {
  if (isUpgrade || !isRead(method)) return true
  return (
    endpoint.takesTokenInQuery === true && !isNavigation(header('sec-fetch-mode'), header('sec-fetch-dest'))
  )
}

const acceptsQueryToken = (
  { disableTokenInUrl }: AdmissionDependencies,
  { endpoint, method }: AdmissionRequest,
): boolean => endpoint.takesTokenInQuery === true && isRead(method) && !disableTokenInUrl

function credentialsOf(
  admission: AdmissionDependencies,
  request: AdmissionRequest,
  verdict: OriginCheckResult,
): RequestCredentials {
  const { endpoint, header, path, isInline } = request
  return {
    header: header('x-auth'),
    cookies: cookiesOf(admission, request),
    query: acceptsQueryToken(admission, request) ? request.queryToken : undefined,
    target: { kind: ticketKindOf(endpoint.route), path },
    use: isInline ? 'repeated' : 'once',
    proxyHeaderValues: (name) => (request.client.isProxy ? request.headerValues(name) : []),
    acceptsCookie: acceptsCookie(request, verdict),
  }
}

/** True when the cookie may authorise the request. It never does for a page whose port is not the port of this server. */
function acceptsCookie(request: AdmissionRequest, verdict: OriginCheckResult): boolean {
  if (!isRead(request.method)) return request.endpoint.takesCookieForChange === true && verdict.kind === 'own'
  return verdict.kind !== 'own-host' || !isOriginChecked(request)
}

/**
 * Returns the ticket kind that an endpoint accepts: the first word of its route name in the singular, such as
 * `resource` for `resources.get`.
 */
const ticketKindOf = (route: string): string => route.slice(0, route.indexOf('.')).replace(/s$/, '')

function cookiesOf({ basePath }: AdmissionDependencies, { header, client }: AdmissionRequest): string[] {
  const cookieHeader = header('cookie')
  if (cookieHeader === undefined) return []
  const prefixed = client.isSecure && basePath === '' ? cookiesNamed('__Host-auth', cookieHeader) : []
  return [...cookiesNamed('auth', cookieHeader), ...prefixed]
}
