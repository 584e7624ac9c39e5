import { isIPv4, isIPv6 } from 'node:net'

/**
 * Who counts as one client: an IPv4 address, or the /64 of an IPv6 one, since a household has all of it. What is no address (a unix
 * socket) stands for itself.
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  const mapped = /^::ffff:(?<v4>[\d.]+)$/i.exec(plain)?.groups?.['v4'] ?? plain
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(plain)) return address
  return `${groupsOf(plain).slice(0, 4).join(':')}::/64`
}

/** The groups of a well-formed IPv6 address that are written out before its last 32 bits, with the left out ones as zeros. */
function groupsOf(address: string): string[] {
  const [before = '', after] = address.split('::')
  const head = before.split(':').filter(Boolean)
  const tail = (after ?? '').split(':').filter(Boolean)
  const written = head.length + tail.length + Number(address.includes('.'))
  const zeros = after === undefined ? [] : Array.from({ length: 8 - written }, () => '0')
  return [...head, ...zeros, ...tail].map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
}
