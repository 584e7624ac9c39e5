import type { Endpoint } from '../../shared/contract/endpoint.ts'
import type { ParameterTypes } from '../../shared/contract/routes.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { RequestCredentials, Authenticator, AuthenticatedCaller } from './authenticator.ts'
import { cookiesNamed } from './request/cookies.ts'
import { isNavigation, judgeOrigin, type OriginHeaders, type OriginCheckResult } from './request/origin.ts'
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
  /** The decoded path of the request. */
  readonly path: Path
  /** The value of the query key `auth`. Undefined where the key is missing. */
  readonly queryToken: string | undefined
  /** True when the response is shown within a page. The browser may then fetch it again and in parts. */
  readonly isInline: boolean
  readonly client: Pick<ClientConnection, 'isSecure' | 'isProxy'>
  readonly isSocket: boolean
}

/**
 * Checks the origin of a request and authenticates its caller. A foreign origin throws `forbidden` (403), missing or
 * invalid credentials throw `not-signed-in` (401); `authorise` comes after both (403; contract 2.2, security design
 * 3.2). For a socket, the caller is authenticated before the origin is checked (contract 12.1). Returns undefined for
 * an endpoint that anyone may call, because such an endpoint ignores credentials.
 */
export function admit(
  admission: AdmissionDependencies,
  request: AdmissionRequest,
): AuthenticatedCaller | undefined | Promise<AuthenticatedCaller> {
  const verdict = judgeOrigin(originHeadersOf(request.header), admission.trustedOrigins)
  const refuseForeign = (): void => {
    if (verdict.kind !== 'foreign' || !isOriginChecked(request)) return
    throw new AppError('forbidden', { reason: `foreign origin, ${verdict.mark}` })
  }
  const isSocket = request.endpoint.isSocket === true
  if (!isSocket) refuseForeign()
  if (request.endpoint.audience === 'anyone') return undefined
  const requireCaller = (recognised: AuthenticatedCaller | null): AuthenticatedCaller => {
    if (recognised === null) throw new AppError('not-signed-in')
    if (isSocket) refuseForeign()
    return recognised
  }
  const recognised = admission.authenticator.recognise(credentialsOf(admission, request, verdict), {
    call: request.endpoint.route,
    origin: request.header('x-origin') ?? null,
  })
  return recognised instanceof Promise ? recognised.then(requireCaller) : requireCaller(recognised)
}

/**
 * Throws `forbidden` when the caller may not call the endpoint. It is separate from `admit`, so that the response to an
 * authenticated caller who is refused here can still request a renewal of the token.
 */
export function authorise(endpoint: Endpoint, caller: Caller, params: Partial<ParameterTypes>): void {
  const mayBeAsked =
    endpoint.audience === 'admin'
      ? caller.may('admin')
      : endpoint.audience !== 'self-or-admin' || caller.user.id === params.id || caller.may('admin')
  if (!mayBeAsked) throw new AppError('forbidden')
  if (endpoint.needs !== undefined && !caller.may(endpoint.needs)) throw new AppError('forbidden')
}

const originHeadersOf = (header: (name: string) => string | undefined): OriginHeaders => ({
  site: header('sec-fetch-site'),
  origin: header('origin'),
  host: header('host'),
})

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/**
 * True for requests that a page of another server must not send: changes, socket handshakes, and reads of private files
 * that the page could embed. The endpoints for these reads are those that accept a token in their address; following a
 * link to them is allowed.
 */
function isOriginChecked({ endpoint, method, header, isSocket }: AdmissionRequest): boolean {
  if (isSocket || !isRead(method)) return true
  return (
    endpoint.takesTokenInQuery === true && !isNavigation(header('sec-fetch-mode'), header('sec-fetch-dest'))
  )
}

function credentialsOf(
  admission: AdmissionDependencies,
  request: AdmissionRequest,
  verdict: OriginCheckResult,
): RequestCredentials {
  const { endpoint, method, header, path, isInline } = request
  const takesQuery = endpoint.takesTokenInQuery === true && isRead(method) && !admission.disableTokenInUrl
  return {
    header: header('x-auth'),
    cookies: cookiesOf(admission, request),
    query: takesQuery ? request.queryToken : undefined,
    target: { kind: ticketKindOf(endpoint.route), path },
    use: isInline ? 'repeated' : 'once',
    ofProxy: (name) => (request.client.isProxy ? header(name) : undefined),
    cookieCounts: isRead(method) || (endpoint.takesCookieForChange === true && verdict.kind === 'own'),
  }
}

/** Returns the kind of the tickets that a call accepts: the first word of the call's name, in the singular. */
const ticketKindOf = (route: string): string => route.slice(0, route.indexOf('.')).replace(/s$/, '')

function cookiesOf({ basePath }: AdmissionDependencies, { header, client }: AdmissionRequest): string[] {
  const sent = header('cookie')
  if (sent === undefined) return []
  const prefixed = client.isSecure && basePath === '' ? cookiesNamed('__Host-auth', sent) : []
  return [...cookiesNamed('auth', sent), ...prefixed]
}
