import { AppError } from '../../../shared/domain/failure.ts'
import type { ClientConnection } from '../route.ts'
import type { OriginEvidence } from './origin.ts'

/** The parts of a refused request that tell the administrator what to change. */
type RefusedRequest = {
  readonly header: (name: string) => string | undefined
  readonly client: Pick<ClientConnection, 'isProxy' | 'address'>
}

/**
 * Creates the error of a request from a page of another server: `forbidden` when the browser says that the page belongs
 * to another site, and `foreign-origin` otherwise. Its reason is for the log. When the request may come
 * from this server's own page behind a proxy that hides its address, the reason names both addresses and the ways to
 * make them equal.
 */
export function foreignOriginError(request: RefusedRequest, sent: OriginEvidence): AppError {
  const evidence = { site: short(sent.site), origin: short(sent.origin), host: short(sent.host) }
  const { site, origin, host } = evidence
  if (site !== undefined && site !== 'same-site')
    return new AppError('forbidden', { reason: `foreign origin, Sec-Fetch-Site: ${site}` })
  const receivedHost = host !== undefined && isHost(host) ? host : undefined
  const headers = [...(site === undefined ? [] : [`Sec-Fetch-Site: ${site}`]), `Origin: ${origin ?? 'none'}`]
  const reason = [`foreign origin, ${headers.join(', ')}`, ...adviceFor(request, evidence)].join('; ')
  return new AppError('foreign-origin', { reason, ...(receivedHost !== undefined && { receivedHost }) })
}

function adviceFor({ header, client }: RefusedRequest, { site, origin, host }: OriginEvidence): string[] {
  const isAddress = origin !== undefined && URL.parse(origin) !== null
  if (!isAddress) return []
  const option = `start with --trustedOrigins ${origin}`
  if (site === 'same-site') return [`if that page may send requests to this server, ${option}`]
  const untrusted =
    !client.isProxy && header('x-forwarded-host') !== undefined
      ? [`trust the proxy with --auth.trustedProxies ${client.address}`]
      : []
  const ways = ['let the proxy pass the address on (nginx: proxy_set_header Host $http_host;)', ...untrusted]
  return [
    `the request arrived for ${host ?? 'no host'}`,
    `if ${origin} is the address of this server in the browser, ${ways.join(', ')}, or ${option}`,
  ]
}

/** Shortens a header for the log. No valid origin or host has more characters. */
const short = (text: string | undefined): string | undefined => text?.slice(0, 300)

/** True for the characters of a host with a port. Other text is not sent back to the client. */
const isHost = (text: string): boolean => /^[\w.:[\]-]{1,255}$/.test(text)
