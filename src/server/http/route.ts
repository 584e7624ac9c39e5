import type { BodyOf, Endpoint, QueryOf } from '../../shared/contract/endpoint.ts'
import type { HasPath, ParametersOf, ParameterTypes, PatternOf } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { IncomingBody, OpenFile } from '../storage/port.ts'

/** The request that a route's operation works on: it has been parsed, checked and authorised as the endpoint declares. */
export type OperationRequest<E extends Endpoint> = Omit<
  UntypedRequest,
  keyof PathParts | 'caller' | 'params' | 'query' | 'body'
> &
  (HasPath<PatternOf<E['route']>> extends true ? PathParts : unknown) & {
    /** Undefined for an endpoint that anyone may call, because no login is looked for there. */
    readonly caller: E['audience'] extends 'anyone' ? undefined : Caller
    /** The parameters in braces of the route's pattern. */
    readonly params: ParametersOf<PatternOf<E['route']>>
    readonly query: QueryOf<E>
    /** The parsed JSON body; undefined where the endpoint takes none. */
    readonly body: BodyOf<E>
  }

type PathParts = {
  /** The path that `*` stands for in the route's pattern. */
  readonly path: Path
  /** True when the request's path ended with a slash. */
  readonly isFolder: boolean
}

/** A request as `serveRoute` fills it in for every route: only the route's own endpoint knows the types of its parts. */
export type UntypedRequest = PathParts & {
  readonly caller: Caller | undefined
  readonly params: Partial<ParameterTypes>
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
  /** The request's own bytes, for endpoints with `body: 'bytes'`; empty otherwise. Reading starts when the first chunk is pulled. */
  readonly bytes: IncomingBody
  /** The value of `Content-Length`; undefined where the header is missing. */
  readonly sizeBytes: number | undefined
  /** Returns a request header by its lower-case name; undefined where it is missing. */
  readonly header: (name: string) => string | undefined
  /** Aborts when the client disconnects, the session of a transfer ends, or the server stops. */
  readonly signal: AbortSignal
  readonly client: ClientConnection
}

/** The client at the other end of the connection, as far as it can be told. */
export type ClientConnection = {
  readonly address: string
  readonly agent: string
  /** True when the client uses TLS, according to the connection or to a trusted proxy. */
  readonly isSecure: boolean
  /** True when the connection comes from a trusted proxy, whose headers are believed. */
  readonly isProxy: boolean
}

/** The answer of an operation; the headers of every answer are added when it is sent. */
export type Answer = {
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
  /** Text or bytes that are sent as they are produced; the first piece is flushed at once. */
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
      /** The media type of bytes that the server produced itself; it replaces the detection by name and first bytes. */
      readonly type?: string
    }
)

/** The answer `200 OK` with the original program's one-line text. */
export const done: Answer = { kind: 'status', status: 200 }

/** The work behind an endpoint. It returns its answer synchronously where it has nothing to wait for. */
export type Operation<E extends Endpoint> = (request: OperationRequest<E>) => Answer | Promise<Answer>

/** An endpoint bound to the operation that does its work. */
export type Route = {
  readonly endpoint: Endpoint
  readonly operation: (request: UntypedRequest) => Answer | Promise<Answer>
}

/**
 * Binds an operation to its endpoint, with the types of the endpoint's own schemas and pattern. The cast is sound because `serveRoute`
 * has checked the request against the same endpoint before it calls the operation.
 */
export const route = <E extends Endpoint>(endpoint: E, operation: Operation<E>): Route => ({
  endpoint,
  operation: operation as unknown as Route['operation'],
})
