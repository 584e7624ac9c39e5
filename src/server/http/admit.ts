import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Credentials, Doors, Recognised } from './doors.ts'
import { cookiesNamed } from './request/credentials.ts'
import { isNavigation, judgeOrigin, type OriginMarks, type OriginVerdict } from './request/origin.ts'
import type { ClientFacts } from './route.ts'

/** What the door keeper needs to know of the server. */
export type Gate = {
  readonly doors: Doors
  readonly basePath: string
  readonly trustedOrigins: readonly string[]
  readonly disableTokenInUrl: boolean
}

/** What the door keeper looks at. */
export type Knock = {
  readonly endpoint: Endpoint
  readonly method: string
  readonly header: (name: string) => string | undefined
  /** What is asked for. */
  readonly path: Path
  /** The value that `?auth=` has. */
  readonly queryToken: string | undefined
  /** Shown in a page, which may ask for the same again and in parts. */
  readonly isInline: boolean
  readonly client: Pick<ClientFacts, 'isSecure' | 'isProxy'>
  readonly isSocket: boolean
}

/**
 * Origin, then who asks, then whether they may: 403, 401, 403 in this order (contract 2.2, security design 3.2); for a socket who
 * asks comes first (contract 12.1). Undefined for an endpoint that is anyone's: no login is looked for there.
 */
export function admit(gate: Gate, knock: Knock): Recognised | undefined | Promise<Recognised> {
  const verdict = judgeOrigin(marksOf(knock.header), gate.trustedOrigins)
  const refuseForeign = (): void => {
    if (verdict.kind !== 'foreign' || !mindsOrigin(knock)) return
    throw new AppError('forbidden', { reason: `foreign origin, ${verdict.mark}` })
  }
  const isSocket = knock.endpoint.isSocket === true
  if (!isSocket) refuseForeign()
  if (knock.endpoint.who === 'anyone') return undefined
  const letIn = (recognised: Recognised | null): Recognised => {
    if (recognised === null) throw new AppError('not-signed-in')
    if (isSocket) refuseForeign()
    return recognised
  }
  const recognised = gate.doors.recognise(credentialsOf(gate, knock, verdict), {
    call: knock.endpoint.route,
    origin: knock.header('x-origin') ?? null,
  })
  return recognised instanceof Promise ? recognised.then(letIn) : letIn(recognised)
}

/** Whether the caller may have what the endpoint gives. Apart from `admit`, so that a refusal can still ask for renewal. */
export function authorise(endpoint: Endpoint, caller: Caller, id: number): void {
  const mayBeAsked =
    endpoint.who === 'admin'
      ? caller.may('admin')
      : endpoint.who !== 'self-or-admin' || caller.user.id === id || caller.may('admin')
  if (!mayBeAsked) throw new AppError('forbidden')
  if (endpoint.needs !== undefined && !caller.may(endpoint.needs)) throw new AppError('forbidden')
}

const marksOf = (header: (name: string) => string | undefined): OriginMarks => ({
  site: header('sec-fetch-site'),
  origin: header('origin'),
  host: header('host'),
})

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** Changes, handshakes of sockets, and private bytes that a page would show as its own; those are what takes a token in its address. */
function mindsOrigin({ endpoint, method, header, isSocket }: Knock): boolean {
  if (isSocket || !isRead(method)) return true
  return (
    endpoint.takesTokenInQuery === true && !isNavigation(header('sec-fetch-mode'), header('sec-fetch-dest'))
  )
}

function credentialsOf(gate: Gate, knock: Knock, verdict: OriginVerdict): Credentials {
  const { endpoint, method, header, path, isInline } = knock
  const takesQuery = endpoint.takesTokenInQuery === true && isRead(method) && !gate.disableTokenInUrl
  return {
    header: header('x-auth'),
    cookies: cookiesOf(gate, knock),
    query: takesQuery ? knock.queryToken : undefined,
    place: { kind: ticketKindOf(endpoint.route), path },
    use: isInline ? 'repeated' : 'once',
    ofProxy: (name) => (knock.client.isProxy ? header(name) : undefined),
    cookieCounts: isRead(method) || (endpoint.takesCookieForChange === true && verdict.kind === 'own'),
  }
}

/** What a ticket for a call says it is for: the first word of the call's name, of one thing. */
const ticketKindOf = (route: string): string => route.slice(0, route.indexOf('.')).replace(/s$/, '')

function cookiesOf({ basePath }: Gate, { header, client }: Knock): string[] {
  const sent = header('cookie')
  if (sent === undefined) return []
  const prefixed = client.isSecure && basePath === '' ? cookiesNamed('__Host-auth', sent) : []
  return [...cookiesNamed('auth', sent), ...prefixed]
}
