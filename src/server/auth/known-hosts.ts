import { isIP } from 'node:net'
import { hostNameOf } from '../../shared/domain/origin.ts'

/** Maximum length of the checked headers in characters. A host has at most 255 characters, and few proxies are chained. */
const maxHostChars = 1024

/** Suffixes of names that public name servers do not resolve: RFC 6762, RFC 8375, and the suffix that ICANN reserved. */
const privateSuffixes = ['.localhost', '.local', '.lan', '.home.arpa', '.internal']

/**
 * Returns the first unknown host in the values of `Host` and `X-Forwarded-Host`, or null when all are known. A page of
 * another site can let its own name lead to the address of this server (DNS rebinding), and its requests then count as
 * requests of this server's pages. It can only use names that it controls in the public name system. Therefore IP
 * addresses, names without a dot, names of private networks, and the hosts of trusted origins are known (decision 113).
 */
export function findUnknownHost(
  headers: readonly (string | undefined)[],
  trustedOrigins: readonly string[],
): string | null {
  const values = headers.filter((value) => value !== undefined).join(',')
  if (values.length > maxHostChars) return values.slice(0, 300)
  const hosts = values === '' ? [] : values.split(',').map((host) => host.trim())
  const trusted = trustedOrigins.map((origin) => hostNameOf(origin.replace(/^https?:\/\//, '')))
  return hosts.find((host) => !isKnown(hostNameOf(host), trusted)) ?? null
}

/**
 * Returns the unknown host of a request that a page may have sent directly to this server by DNS rebinding, or null. Such a
 * page has the scheme `http` and the port at which this server listens, because it was loaded from there. A page behind a
 * proxy has the address of the proxy. A page cannot rebind its name to a server with TLS, whose certificate it does not have,
 * or to a unix socket, for which `plainPort` is null. Programs send no `Origin` (decision 187).
 */
export function findReboundHost(
  {
    origin,
    host,
    plainPort,
  }: { readonly [Name in 'origin' | 'host']: string | undefined } & { readonly plainPort: number | null },
  trustedOrigins: readonly string[],
): string | null {
  if (plainPort === null || origin === undefined || /^https:/i.test(origin)) return null
  const hosts = [host ?? '', origin.replace(/^http:\/\//i, '')].filter((one) => portOf(one) === plainPort)
  return findUnknownHost(hosts, trustedOrigins)
}

/** Returns the port of a host in an address with `http`. Null for text that is not a host. */
function portOf(host: string): number | null {
  const port = URL.parse(`http://${host}`)?.port
  return port === undefined ? null : Number(port || 80)
}

function isKnown(name: string | null, trusted: readonly (string | null)[]): boolean {
  if (name === null) return false
  const isPrivate = !name.includes('.') || privateSuffixes.some((suffix) => name.endsWith(suffix))
  return isPrivate || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || trusted.includes(name)
}
