import type { BodyOf, Endpoint, QueryOf } from '../../shared/contract/endpoint.ts'
import type { HasPath, ParametersOf, ParameterTypes, PatternOf } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { IncomingBody } from '../storage/change.ts'
import type { OpenFile } from '../storage/port.ts'

/**
 * The request that a route's operation receives. It has already been parsed, validated and authorised according to the
 * endpoint.
 */
export type OperationRequest<E extends Endpoint> = Omit<
  UntypedRequest,
  keyof WildcardPath | 'caller' | 'params' | 'query' | 'body'
> &
  (HasPath<PatternOf<E['route']>> extends true ? WildcardPath : unknown) & {
    /**
     * The authenticated caller. Undefined for an endpoint that anyone may call, because such an endpoint ignores
     * credentials.
     */
    readonly caller: E['audience'] extends 'anyone' ? undefined : Caller
    /** The values of the parameters in braces in the route's pattern, such as `{id}`. */
    readonly params: ParametersOf<PatternOf<E['route']>>
    readonly query: QueryOf<E>
    /** The parsed JSON body. Undefined when the endpoint has no JSON body. */
    readonly body: BodyOf<E>
  }

type WildcardPath = {
  /** The part of the request's path that matches `*` in the route's pattern. */
  readonly path: Path
  /** True when the request's path ended with a slash. */
  readonly isFolder: boolean
}

/**
 * The request that `serveRoute` creates for every route. Its members have general types, because the endpoint that
 * determines the exact types is not known here.
 */
export type UntypedRequest = WildcardPath & {
  readonly caller: Caller | undefined
  readonly params: Partial<ParameterTypes>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /**
   * The bytes of the request body, for endpoints with `body: 'bytes'`. Empty for other endpoints. Nothing is read
   * before the first chunk is requested.
   */
  readonly bytes: IncomingBody
  /** The value of `Content-Length`. Undefined when the header is missing. */
  readonly sizeBytes: number | undefined
  /** Returns a request header by its lower-case name. Undefined when the header is missing. */
  readonly header: (name: string) => string | undefined
  /** Returns each value of a request header by its lower-case name. */
  readonly headerValues: (name: string) => readonly string[]
  /** The port at which the connection arrived. Null for a connection with TLS or through the unix socket. */
  readonly plainPort: number | null
  /**
   * The signal aborts when the client disconnects, when the session or guest pass of a transfer ends, or when the server
   * stops.
   */
  readonly signal: AbortSignal
  /** Aborts the request's transfer when the guest pass with this id ends. A guest has no session that could end. */
  readonly runUnderPass: (id: string) => void
  readonly reading: ResponseMemory
  readonly client: ClientConnection
  /** True for a request with the method HEAD, whose response has no body. */
  readonly isHead: boolean
}

/** A call that was refused because the caller lacks a right. */
export type RefusedCall = Pick<UntypedRequest, 'caller' | 'client' | 'path' | 'isFolder'> & {
  readonly endpoint: Endpoint
}

/** The client of a request and its connection. */
export type ClientConnection = {
  readonly address: string
  readonly agent: string
  /** True when the client uses TLS, according to the connection or to a trusted proxy. */
  readonly isSecure: boolean
  /** True when the connection comes from a trusted proxy, whose headers the server trusts. */
  readonly isProxy: boolean
}

/**
 * The response of an operation. The headers of every response, such as the security policy, are added when the response
 * is sent.
 */
export type RouteResponse = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The values of `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
} & (
  | { readonly kind: 'status' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: unknown }
  /** A JSON string that is sent unchanged. */
  | { readonly kind: 'json-text'; readonly text: string }
  /** Strings or bytes that are sent as they are produced. Each chunk is flushed immediately. */
  | {
      readonly kind: 'stream'
      readonly contentType: string
      readonly chunks: AsyncIterable<string | Uint8Array>
    }
  /**
   * A download that is produced from a user's files while it is sent, such as an archive. It is sent without content
   * encoding.
   */
  | {
      readonly kind: 'download'
      readonly name: string
      readonly contentType: string
      readonly chunks: AsyncIterable<Uint8Array>
      readonly beforeBytes?: BeforeBytes
    }
  /**
   * A user's file. When the file is sent, content headers and validators are added, and ranges and preconditions are
   * evaluated (security 3.7, RFC 9110). The file is closed afterwards.
   */
  | {
      readonly kind: 'file'
      readonly file: OpenFile
      readonly isInline: boolean
      /**
       * The media type of bytes that the server produced itself. With this field, the type is not detected from the
       * name and the first bytes.
       */
      readonly type?: string
      /** True for a picture that the server has drawn of the file, which does not contain the file. */
      readonly isPicture?: true
      readonly beforeBytes?: BeforeBytes
    }
)

/**
 * Called when bytes of the content are about to be sent, which is never the case for HEAD and for content that the client has
 * already. `isFromStart` is true when the first byte is among them. When it throws, nothing is sent.
 */
export type BeforeBytes = (bytes: { readonly isFromStart: boolean }) => Promise<void>

/** The response `200 OK` with the same one-line text as File Browser sends. */
export const done: RouteResponse = { kind: 'status', status: 200 }

/** The function that implements an endpoint. It returns its response synchronously when it does not have to wait. */
export type RouteOperation<E extends Endpoint> = (
  request: OperationRequest<E>,
) => RouteResponse | Promise<RouteResponse>

/** An endpoint and the operation that implements it. */
export type Route = {
  readonly endpoint: Endpoint
  readonly operation: (request: UntypedRequest) => RouteResponse | Promise<RouteResponse>
}

/**
 * Binds an operation to its endpoint, with the types of the endpoint's own schemas and pattern. The cast is sound
 * because `serveRoute` has checked the request against the same endpoint before it calls the operation.
 */
export const route = <E extends Endpoint>(endpoint: E, operation: RouteOperation<E>): Route => ({
  endpoint,
  operation: operation as unknown as Route['operation'],
})
