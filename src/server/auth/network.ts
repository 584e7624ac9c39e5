import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the network that counts as one client: the address itself for IPv4, and the /64 network for IPv6, because a
 * household usually has a whole /64. A text that is not an address, as for a Unix socket, is returned unchanged.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(?<v4>[\d.]+)$/i.exec(plain)?.groups?.['v4'] ?? plain
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(plain)) return address
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

/**
 * Returns the groups of a well-formed IPv6 address. Omitted groups become zeros; a dotted-decimal tail stays one
 * element.
 */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.split('::')
  const head = before.split(':').filter(Boolean)
  const tail = (after ?? '').split(':').filter(Boolean)
  const written = head.length + tail.length + Number(address.includes('.'))
  const zeros = after === undefined ? [] : Array.from({ length: 8 - written }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}

/**
 * The private address ranges, which contain the proxies of containers and home networks. After a takeover, proxies in
 * these ranges are trusted until the administrator names the proxy.
 */
export const privateRanges = [
  '127.0.0.0/8',
  '::1/128',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  'fc00::/7',
]
