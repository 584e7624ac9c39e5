import { limits } from '../../shared/domain/limits.ts'

/** Limits of requests and connections (security design 3.8). */
export type HttpLimits = {
  readonly requestHeadBytes: number
  readonly headersTimeoutMs: number
  readonly keepAliveMs: number
  /** How long a JSON body may take. */
  readonly jsonTimeoutMs: number
  /** How long a sender of bytes may be silent. */
  readonly receiveIdleMs: number
  /** What a sender of bytes must bring on average, over `receiveWindowMs` of waiting for it. */
  readonly receiveBytesPerSecond: number
  readonly receiveWindowMs: number
  /** How long a reader may take nothing of what is sent. */
  readonly sendIdleMs: number
  /** How much of a refused body is still read, so that the client can read the refusal, and for how long. */
  readonly drainBytes: number
  readonly drainMs: number
  readonly connections: number
  readonly connectionsPerPeer: number
  /** Requests that a connection may send ahead of the answer to the one before. */
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

/** What configuration says about the door. */
export type HttpOptions = {
  /** Without a slash at its end; empty for none (contract 1.3). */
  readonly basePath: string
  /** Origins beside our own that may ask for changes, such as `https://files.example.org`. */
  readonly trustedOrigins: readonly string[]
  /** Addresses and ranges whose forwarded address and protocol count. A peer on a unix socket always counts. */
  readonly trustedProxies: readonly string[]
  /** Refuses `?auth=` everywhere. */
  readonly disableTokenInUrl: boolean
  /** The folder that `/static/` shows; null for none. */
  readonly staticFolder: string | null
  readonly logFormat: 'text' | 'json'
  /** PEM texts; served by TLS when given. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer }
  readonly limits?: Partial<HttpLimits>
}

/** Where to listen: a port of an address (0: any free one), or a unix socket. */
export type Where =
  | { readonly host: string; readonly port: number }
  | { readonly socketPath: string; readonly socketMode?: number }

/** The one page of the product; the same bytes for every page route. */
export type Page = {
  readonly html: Buffer
  /** Policy, caching and type; what every answer carries is added. */
  readonly headers: Readonly<Record<string, string>>
  /** The same bytes, compressed. */
  readonly encodings?: { readonly br?: Buffer; readonly gzip?: Buffer }
}
