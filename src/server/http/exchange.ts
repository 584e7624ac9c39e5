import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../access/caller.ts'
import {
  headerCharacters,
  leastHeaderCharacters,
  otherHeaderCharacters,
} from '../../shared/domain/header-limits.ts'
import { AppError } from '../../shared/domain/failure.ts'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import type { Reading, ReadingMemory } from '../concurrency/reading-memory.ts'
import type { ResponseEnder } from './response/response-batcher.ts'
import type { ClientConnection } from './route.ts'
import type { ChunkListener, HttpLimits } from './http-options.ts'
import type { RequestLifetime } from './request-lifetime.ts'
import type { RouteMatch } from './request/route-table.ts'
import type { RequestTarget } from './request/request-target.ts'

/** One HTTP request and its response. It exists from the arrival of the request until the response has been sent. */
export type HttpExchange = {
  /** Returns the id of the request, which is created on first use. */
  readonly id: () => string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The target of the request. Null when the request line contains no path. */
  readonly target: RequestTarget | null
  readonly match: RouteMatch
  readonly client: ClientConnection
  readonly lifetime: RequestLifetime
  readonly limits: HttpLimits
  /** The bytes of large responses that are in memory until their clients have read them. */
  readonly largeResponses: ByteBudget
  /** The memory of entries that are read in advance of clients. */
  readonly readingMemory: ReadingMemory
  /** The part of the memory of slow readers that the response holds. Null until an operation asks for some. */
  reading: Reading | null
  /**
   * Sends the body and ends the response. Small responses of one turn of the event loop are sent together, so call this
   * function instead of `response.end`.
   */
  readonly endResponse: ResponseEnder
  /** Must be called for each chunk of a body that has arrived or was sent. */
  readonly onChunk: ChunkListener | undefined
  /** Returns a request header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The caller. Null until it is authenticated, and for requests that anyone may send. */
  caller: Caller | null
  /** The id of the guest pass that the request uses. Null until a guest is admitted. */
  guestPass: string | null
  /** True when the response requests that the client renews its token. Set when the caller is authenticated. */
  shouldRenew: boolean
}

/**
 * Creates a function that returns a request header by its lower-case name, as Node reports it: values of a repeated
 * header are joined with commas (cookies with semicolons), and of some headers, such as Content-Type, Node keeps only
 * the first value. Throws `bad-request` for a long header that is not in the table of limits.
 */
export function headerReader({ headers }: IncomingMessage): (name: string) => string | undefined {
  return (name) => {
    const value = headers[name]
    const text = Array.isArray(value) ? value.join(', ') : value
    if (text !== undefined && text.length > otherHeaderCharacters && !headerCharacters.has(name))
      throw tooLong()
    return text
  }
}

const tooLong = (): AppError => new AppError('bad-request', { reason: 'a header is too long' })

/** Throws `bad-request` when a header that the server reads is longer than its limit. */
export function refuseLongHeaders({ headers }: Pick<IncomingMessage, 'headers'>): void {
  for (const name in headers) {
    const length = headers[name]?.length ?? 0
    if (length > leastHeaderCharacters && length > (headerCharacters.get(name) ?? length)) throw tooLong()
  }
}

/** Returns each value of a request header by its lower-case name, in the order in which the values were sent. */
export const headerValues = (
  { rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>,
  name: string,
): readonly string[] =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === name)

/** True when the head of a request indicates a body. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0
