import { limits } from '../../shared/domain/limits.ts'

/** The limits of requests and connections (security design 3.8). */
export type HttpLimits = {
  readonly requestHeadBytes: number
  readonly headersTimeoutMs: number
  readonly keepAliveMs: number
  /** The time in which a JSON body must arrive completely. */
  readonly jsonTimeoutMs: number
  /** The time that a sender of bytes may be silent. */
  readonly receiveIdleMs: number
  /** The average rate that a sender of bytes must reach, measured over `receiveWindowMs` of waiting for its bytes. */
  readonly receiveBytesPerSecond: number
  readonly receiveWindowMs: number
  /** The time that a client may accept nothing of an answer that is being sent. */
  readonly sendIdleMs: number
  /** The part of a refused body that is still read, and the time for that, so that the client can read the refusal. */
  readonly drainBytes: number
  readonly drainMs: number
  readonly connections: number
  readonly connectionsPerPeer: number
  /** The number of requests that one connection may send ahead of the answer to the one before (pipelining). */
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
  /** The base path without a slash at its end; empty for none (contract 1.3). */
  readonly basePath: string
  /** Origins besides our own that may request changes, such as `https://files.example.org`. */
  readonly trustedOrigins: readonly string[]
  /**
   * Addresses and ranges of proxies whose forwarded address and protocol are believed. A peer on a unix socket is
   * always believed.
   */
  readonly trustedProxies: readonly string[]
  /** True refuses `?auth=` on every endpoint. */
  readonly disableTokenInUrl: boolean
  /** The folder that is served below `/static/`; null for none. */
  readonly staticFolder: string | null
  readonly logFormat: 'text' | 'json'
  /** The certificate and the key as PEM texts. The server speaks TLS when they are given. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer }
  readonly limits?: Partial<HttpLimits>
}

/** The address to listen on: a host with a port (0 for any free one), or the path of a unix socket. */
export type ListenAddress =
  | { readonly host: string; readonly port: number }
  | { readonly socketPath: string; readonly socketMode?: number }

/** The page of the web client; every page route serves the same bytes. */
export type Page = {
  readonly html: Buffer
  /** The headers for policy, caching and type; the headers of every answer are added to them. */
  readonly headers: Readonly<Record<string, string>>
  /** The same bytes, compressed in advance. */
  readonly encodings?: { readonly br?: Buffer; readonly gzip?: Buffer }
}
