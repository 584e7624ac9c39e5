import { BlockList, isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { ClientFacts } from '../route.ts'

/** The same few addresses ask again and again. */
const mostKnown = 1000

/** Whether an address is one of a list of addresses and ranges (`10.0.0.0/8`, `::1`). What is neither is ignored. */
export function createAddressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry.trim())
  const isListed = (address: string): boolean => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
  const known = new Map<string, boolean>()
  return (address) => {
    let verdict = known.get(address)
    if (verdict !== undefined) return verdict
    verdict = isListed(address)
    if (known.size >= mostKnown) known.clear()
    known.set(address, verdict)
    return verdict
  }
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', bits] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return
  const type = family === 6 ? 'ipv6' : 'ipv4'
  const most = family === 6 ? 128 : 32
  const prefix = bits === undefined ? most : Number(bits)
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= most) list.addSubnet(address, prefix, type)
}

/** IPv4 on a socket for both families, as IPv4. */
export const plainAddress = (address: string): string =>
  address.startsWith(':') ? address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '') : address

/**
 * Who is at the other end: the peer, or behind a trusted proxy the right-most hop of `X-Forwarded-For` that is no trusted proxy
 * (security design 3.8). A peer without an address came by the unix socket, which is trusted.
 */
export function clientOf(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: (address: string) => boolean,
): ClientFacts {
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  const isProxied = peer === '' || isTrusted(peer)
  const agent = request.headers['user-agent'] ?? ''
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  if (!isProxied) return { address: peer, agent, isSecure: isEncrypted, isProxy: false }
  return {
    address:
      lastUntrusted(request.headers['x-forwarded-for'], isTrusted) ?? (peer === '' ? '127.0.0.1' : peer),
    agent,
    isSecure: isEncrypted || lastOf(request.headers['x-forwarded-proto']) === 'https',
    isProxy: true,
  }
}

function lastUntrusted(
  header: string | string[] | undefined,
  isTrusted: (address: string) => boolean,
): string | null {
  if (header === undefined) return null
  let found: string | null = null
  for (const hop of hopsOf(header).reverse()) {
    const address = plainAddress(withoutPort(hop))
    if (isIP(address) === 0) return found
    found = address
    if (!isTrusted(address)) return found
  }
  return found
}

const hopsOf = (header: string | string[] | undefined): string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => hop.trim())

const lastOf = (header: string | string[] | undefined): string =>
  header === undefined ? '' : (hopsOf(header).at(-1) ?? '').toLowerCase()

const withoutPort = (hop: string): string =>
  hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** Whether an address is this very machine. */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
