import { limits } from '../../shared/domain/limits.ts'

/** The limits of requests and connections (security design 3.8). */
export type HttpLimits = {
  readonly requestHeadBytes: number
  readonly headersTimeoutMs: number
  readonly keepAliveMs: number
  /** The maximum time in which a JSON body must arrive completely. */
  readonly jsonTimeoutMs: number
  /** The maximum time for which a client that sends bytes may pause. */
  readonly receiveIdleMs: number
  /**
   * The minimum average rate of a client that sends bytes, measured over `receiveWindowMs` of waiting for its bytes.
   */
  readonly receiveBytesPerSecond: number
  readonly receiveWindowMs: number
  /** The maximum time for which a client may accept no bytes of a response that is being sent. */
  readonly sendIdleMs: number
  /**
   * The maximum size of a refused body that is still read, and the maximum time of reading it, so that the client can
   * read the refusal.
   */
  readonly drainBytes: number
  readonly drainMs: number
  readonly connections: number
  readonly connectionsPerPeer: number
  /** The maximum number of requests that one connection may have queued behind an unanswered request (pipelining). */
  readonly requestsAhead: number
  readonly socketIdleMs: number
  readonly socketsPerUser: number
}

export const httpLimits: HttpLimits = {
  requestHeadBytes: limits.requestHeadBytes,
  headersTimeoutMs: 20_000,
  keepAliveMs: 10_000,
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
  socketIdleMs: 60_000,
  socketsPerUser: 20,
}

/** The part of the configuration that concerns HTTP. */
export type HttpOptions = {
  /** The base path, without a slash at its end. Empty for no base path (contract 1.3). */
  readonly basePath: string
  /** Origins in addition to the server's own whose pages may request changes, such as `https://files.example.org`. */
  readonly trustedOrigins: readonly string[]
  /**
   * Addresses and address ranges of the proxies whose headers with the client's address and protocol are trusted. A
   * peer on a unix socket is always trusted.
   */
  readonly trustedProxies: readonly string[]
  /** True when `?auth=` is refused on every endpoint. */
  readonly disableTokenInUrl: boolean
  /** The folder that is served below `/static/`. Null for no folder. */
  readonly staticFolder: string | null
  readonly logFormat: 'text' | 'json'
  /** The certificate and the key as PEM texts. The server speaks TLS when they are given. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer }
  readonly limits?: Partial<HttpLimits>
}

/** The address to listen on: a host with a port (0 for any free port), or the path of a unix socket. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly socketPath: string; readonly socketMode?: number }

/** The page of the web client. Every page route serves the same bytes. */
export type Page = {
  readonly html: Buffer
  /** The headers for policy, caching and type. The headers of every response are added to them. */
  readonly headers: Readonly<Record<string, string>>
  /** The same bytes, compressed in advance. */
  readonly encodings?: { readonly br?: Buffer; readonly gzip?: Buffer }
}
