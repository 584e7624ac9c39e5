import { createBoundedMap } from '../../concurrency/bounded-map.ts'
import { BlockList, isIP } from 'node:net'
import type { IncomingMessage } from 'node:http'
import type { ClientConnection } from '../route.ts'

/**
 * The maximum number of entries in the address cache. Most servers have fewer clients, so the cache is rarely full.
 */
const addressCacheSize = 1000

/**
 * Creates a function that checks whether an IP address is in a list of addresses and ranges (such as `::1` and
 * `10.0.0.0/8`). Invalid entries of the list are ignored.
 */
export function createAddressList(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) addEntry(list, entry.trim())
  const isListed = (address: string): boolean => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
  const cache = createBoundedMap<string, boolean>(addressCacheSize)
  return (address) => {
    let isInList = cache.get(address)
    if (isInList !== undefined) return isInList
    isInList = isListed(address)
    cache.set(address, isInList)
    return isInList
  }
}

function addEntry(list: BlockList, entry: string): void {
  const [address = '', prefixLength] = entry.split('/')
  const family = isIP(address)
  if (family === 0) return
  const type = family === 6 ? 'ipv6' : 'ipv4'
  const maxPrefix = family === 6 ? 128 : 32
  const prefix = prefixLength === undefined ? maxPrefix : Number(prefixLength)
  if (Number.isInteger(prefix) && prefix >= 0 && prefix <= maxPrefix) list.addSubnet(address, prefix, type)
}

/** Converts an IPv4-mapped IPv6 address to plain IPv4; other addresses are returned unchanged. */
export const plainAddress = (address: string): string =>
  address.startsWith(':') ? address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '') : address

/**
 * Returns the client of a request. Its address is that of the connection's peer or, behind a trusted proxy, the
 * right-most address in `X-Forwarded-For` that does not belong to a trusted proxy (security 3.8). A peer without
 * an IP address is connected to the unix socket and is trusted.
 */
export function clientOf(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  isTrusted: (address: string) => boolean,
): ClientConnection {
  const peer = plainAddress(request.socket.remoteAddress ?? '')
  const isProxied = peer === '' || isTrusted(peer)
  const agent = request.headers['user-agent'] ?? ''
  const isEncrypted = 'encrypted' in request.socket && request.socket.encrypted === true
  if (!isProxied) return { address: peer, agent, isSecure: isEncrypted, isProxy: false }
  return {
    address:
      lastUntrusted(request.headers['x-forwarded-for'], isTrusted) ?? (peer === '' ? '127.0.0.1' : peer),
    agent,
    isSecure: isEncrypted || lastValueOf(request.headers['x-forwarded-proto']) === 'https',
    isProxy: true,
  }
}

/** The length of the longest address: of IPv6 with an IPv4 address at its end. Longer texts are zones of any length. */
const longestAddress = 45

function lastUntrusted(
  header: string | string[] | undefined,
  isTrusted: (address: string) => boolean,
): string | null {
  if (header === undefined) return null
  let candidate: string | null = null
  for (const hop of hopsOf(header).reverse()) {
    const address = addressOfHop(hop)
    if (address === null) return candidate
    candidate = address
    if (!isTrusted(address)) return candidate
  }
  return candidate
}

/** Returns the address of a hop without its port. Null for text that is no address, and for an address with a zone. */
function addressOfHop(hop: string): string | null {
  const address = plainAddress(withoutPort(hop))
  if (address.length > longestAddress || address.includes('%') || isIP(address) === 0) return null
  // A part of a string keeps the whole string in memory, and a cache or a counter may keep the address.
  return Buffer.from(address, 'latin1').toString('latin1')
}

const hopsOf = (header: string | string[] | undefined): string[] =>
  (Array.isArray(header) ? header.join(',') : (header ?? '')).split(',').map((hop) => hop.trim())

const lastValueOf = (header: string | string[] | undefined): string =>
  header === undefined ? '' : (hopsOf(header).at(-1) ?? '').toLowerCase()

const withoutPort = (hop: string): string =>
  hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** True for a loopback address. */
export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')
