import type { Certificate } from './certificate.ts'
import type { UnixSocketAddress } from './unix-socket.ts'
import { limits } from '../../shared/domain/limits.ts'

/** Is called with the size of a chunk of a body that has arrived or was sent. A body that is in memory is one chunk. */
export type ChunkListener = (bytes: number, direction: 'received' | 'sent') => void

/** The limits of requests and connections (security 3.8). */
export type HttpLimits = {
  readonly requestHeadBytes: number
  readonly headersTimeoutMs: number
  readonly keepAliveMs: number
  /**
   * The time for which the connection of a trusted proxy waits for its next request. It is longer than the time for which
   * proxies keep idle connections (nginx 60 s, Traefik 90 s, Caddy 120 s), so that the proxy closes them. Otherwise, a proxy
   * sends a request on a connection that is being closed, and answers 502.
   */
  readonly proxyKeepAliveMs: number
  /** The maximum time until a JSON body has arrived completely. */
  readonly jsonTimeoutMs: number
  /** The maximum pause between two chunks of a request body. */
  readonly receiveIdleMs: number
  /**
   * The minimum average rate at which a request body arrives. It is measured over `receiveWindowMs` of waiting for the
   * client.
   */
  readonly receiveBytesPerSecond: number
  readonly receiveWindowMs: number
  /** The maximum time for which a client may stop reading its response. */
  readonly sendIdleMs: number
  /**
   * The limits of reading and dropping the body of a refused request, in bytes and milliseconds. The rest of the body
   * is read so that the client reads the failure response.
   */
  readonly drainBytes: number
  readonly drainMs: number
  readonly connections: number
  readonly connectionsPerPeer: number
  /** The maximum number of pipelined requests of one connection that wait for the response to an earlier request. */
  readonly requestsAhead: number
  /** The bytes of requests that wait for the response to an earlier request, and of those that one address may have. */
  readonly queuedBytes: number
  readonly queuedBytesPerAddress: number
  /** The bytes of large heads and large JSON bodies that are being served, and of those that one address may have. */
  readonly largeRequestBytes: number
  readonly largeRequestBytesPerAddress: number
  /**
   * The bytes of large responses that are in memory until their clients have read them, and of those that one user may have, or one
   * address without a login.
   */
  readonly largeResponseBytes: number
  readonly largeResponseBytesPerPerson: number
  /**
   * The bytes of entries of folders and trees that are in memory in advance of their clients, and of those of one user, or of one
   * address without a login. A client that has read nothing for `readingStalledMs` is disconnected when others wait.
   */
  readonly readingBytes: number
  readonly readingBytesPerPerson: number
  readonly readingStalledMs: number
  readonly socketIdleMs: number
  /** The number of messages and pings of one socket that are read in a second. The others wait in the connection. */
  readonly socketMessagesPerSecond: number
  /** The bytes that a client has not read yet, above which its socket is closed when it sends something. */
  readonly socketUnreadBytes: number
  readonly socketsPerUser: number
}

const mebibyte = 1024 * 1024

export const httpLimits: HttpLimits = {
  requestHeadBytes: limits.requestHeadBytes,
  headersTimeoutMs: 20_000,
  keepAliveMs: 10_000,
  proxyKeepAliveMs: 130_000,
  jsonTimeoutMs: 30_000,
  receiveIdleMs: 60_000,
  receiveBytesPerSecond: 8 * 1024,
  receiveWindowMs: 30_000,
  sendIdleMs: 300_000,
  drainBytes: 64 * 1024 * 1024,
  drainMs: 20_000,
  connections: 1000,
  connectionsPerPeer: 100,
  requestsAhead: 32,
  queuedBytes: 32 * mebibyte,
  queuedBytesPerAddress: 4 * mebibyte,
  largeRequestBytes: 64 * mebibyte,
  largeRequestBytesPerAddress: 16 * mebibyte,
  largeResponseBytes: 192 * mebibyte,
  // The largest text has 10 MiB. As JSON, it has 60 MiB when it consists of control characters.
  largeResponseBytesPerPerson: 64 * mebibyte,
  // A folder of 100,000 names of 20 characters takes 18 MiB, and the listing of a tree 5 MiB.
  readingBytes: 192 * mebibyte,
  readingBytesPerPerson: 64 * mebibyte,
  readingStalledMs: 10_000,
  socketIdleMs: 60_000,
  socketMessagesPerSecond: 20,
  socketUnreadBytes: 2 * 1024 * 1024,
  socketsPerUser: 20,
}

/** The part of the configuration that concerns HTTP. */
export type HttpOptions = {
  /** The base path, without a slash at its end. Empty for no base path (contract 1.3). */
  readonly basePath: string
  /** The origins of other servers whose pages may request changes, such as `https://files.example.org`. */
  readonly trustedOrigins: readonly string[]
  /**
   * IP addresses and address ranges of trusted proxies. A trusted proxy sends the client's address and protocol in
   * headers. A peer on a unix socket is always trusted.
   */
  readonly trustedProxies: readonly string[]
  /** True when `?auth=` is refused on every endpoint. */
  readonly disableTokenInUrl: boolean
  /** The folder that is served below `/static/`. Null when no folder is served. */
  readonly staticFolder: string | null
  readonly logFormat: 'text' | 'json'
  /** The certificate and its private key. With them, the server uses TLS. */
  readonly tls?: Certificate
  readonly limits?: Partial<HttpLimits>
}

/** The address to listen on: a host with a port (0 for any free port), or the path of a unix socket. */
export type ListenAddress =
  | {
      readonly host: string
      readonly port: number
      /** True when other servers that want it, too, may listen on the same port. */
      readonly isShared?: boolean
    }
  | UnixSocketAddress

/** The page of the web client. Every page route serves the same bytes. */
export type RenderedPage = {
  readonly html: Buffer
  /**
   * The headers for security policy, caching and content type. The headers of `pageHeaders` are added when the page is
   * sent.
   */
  readonly headers: Readonly<Record<string, string>>
  /** The same bytes, compressed in advance. */
  readonly encodings?: { readonly br?: Buffer; readonly gzip?: Buffer }
}
