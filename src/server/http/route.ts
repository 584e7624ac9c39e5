import type { BodyOf, Endpoint, QueryOf } from '../../shared/contract/endpoint.ts'
import type { HasPath, ParametersOf, ParameterTypes, PatternOf } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { IncomingBody, OpenFile } from '../storage/port.ts'

/**
 * The request that a route's operation receives. It has been parsed, checked and authorised as the endpoint declares.
 */
export type OperationRequest<E extends Endpoint> = Omit<
  UntypedRequest,
  keyof PathParts | 'caller' | 'params' | 'query' | 'body'
> &
  (HasPath<PatternOf<E['route']>> extends true ? PathParts : unknown) & {
    /**
     * The authenticated caller. Undefined for an endpoint that anyone may call, because such an endpoint ignores
     * credentials.
     */
    readonly caller: E['audience'] extends 'anyone' ? undefined : Caller
    /** The values of the parameters that the route's pattern has in braces. */
    readonly params: ParametersOf<PatternOf<E['route']>>
    readonly query: QueryOf<E>
    /** The parsed JSON body. Undefined where the endpoint has no JSON body. */
    readonly body: BodyOf<E>
  }

type PathParts = {
  /** The path that matches `*` in the route's pattern. */
  readonly path: Path
  /** True when the request's path ended with a slash. */
  readonly isFolder: boolean
}

/**
 * The request that `serveRoute` creates for every route. The types of its parts are unknown here; each route's endpoint
 * determines them.
 */
export type UntypedRequest = PathParts & {
  readonly caller: Caller | undefined
  readonly params: Partial<ParameterTypes>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /**
   * The bytes of the request body, for endpoints with `body: 'bytes'`. Empty for other endpoints. Reading starts when
   * the first chunk is pulled.
   */
  readonly bytes: IncomingBody
  /** The value of `Content-Length`. Undefined where the header is missing. */
  readonly sizeBytes: number | undefined
  /** Returns a request header by its lower-case name. Undefined where the header is missing. */
  readonly header: (name: string) => string | undefined
  /** Aborts when the client disconnects, the session of a transfer ends, or the server stops. */
  readonly signal: AbortSignal
  readonly client: ClientConnection
}

/** The data that the server has about the client at the other end of the connection. */
export type ClientConnection = {
  readonly address: string
  readonly agent: string
  /** True when the client uses TLS, according to the connection or to a trusted proxy. */
  readonly isSecure: boolean
  /** True when the connection comes from a trusted proxy, whose headers the server trusts. */
  readonly isProxy: boolean
}

/** The response of an operation. The headers that every response has are added when it is sent. */
export type RouteResponse = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The values of `Set-Cookie` headers. */
  readonly cookies?: readonly string[]
} & (
  | { readonly kind: 'status' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: unknown }
  /** JSON that has been serialised already. */
  | { readonly kind: 'json-text'; readonly text: string }
  /** Text or bytes that are sent as they are produced. Each piece is flushed immediately. */
  | {
      readonly kind: 'pieces'
      readonly contentType: string
      readonly pieces: AsyncIterable<string | Uint8Array>
    }
  /**
   * A download that is produced from a user's files while it is sent, such as an archive. Its bytes are not compressed
   * again.
   */
  | {
      readonly kind: 'download'
      readonly name: string
      readonly contentType: string
      readonly pieces: AsyncIterable<Uint8Array>
    }
  /**
   * A user's file. Content headers, validators, ranges and preconditions are added when it is sent (security design
   * 3.7, RFC 9110). The file is closed afterwards.
   */
  | {
      readonly kind: 'file'
      readonly file: OpenFile
      readonly isInline: boolean
      /** The media type of bytes that the server produced itself. It replaces the detection by name and first bytes. */
      readonly type?: string
    }
)

/** The response `200 OK` with the same one-line text as in the original program. */
export const done: RouteResponse = { kind: 'status', status: 200 }

/**
 * The function that does the work of an endpoint. It returns its response synchronously when it does not have to wait.
 */
export type Operation<E extends Endpoint> = (
  request: OperationRequest<E>,
) => RouteResponse | Promise<RouteResponse>

/** An endpoint bound to the operation that does its work. */
export type Route = {
  readonly endpoint: Endpoint
  readonly operation: (request: UntypedRequest) => RouteResponse | Promise<RouteResponse>
}

/**
 * Binds an operation to its endpoint, with the types of the endpoint's own schemas and pattern. The cast is sound
 * because `serveRoute` has checked the request against the same endpoint before it calls the operation.
 */
export const route = <E extends Endpoint>(endpoint: E, operation: Operation<E>): Route => ({
  endpoint,
  operation: operation as unknown as Route['operation'],
})
