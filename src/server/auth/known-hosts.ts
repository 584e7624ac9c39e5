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

function isKnown(name: string | null, trusted: readonly (string | null)[]): boolean {
  if (name === null) return false
  const isPrivate = !name.includes('.') || privateSuffixes.some((suffix) => name.endsWith(suffix))
  return isPrivate || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || trusted.includes(name)
}
