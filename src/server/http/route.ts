import type { Endpoint, BodyOf, QueryOf } from '../../shared/contract/endpoint.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Caller } from '../access/caller.ts'
import type { Incoming, OpenFile } from '../storage/port.ts'

/** What a route's operation is given: everything is parsed, checked and authorised before. */
export type Asked<E extends Endpoint> = {
  /** For `anyone` there is none; every other endpoint has one. */
  readonly caller: E['who'] extends 'anyone' ? undefined : Caller
  /** What stands for `*` in the pattern; the root where the pattern has none. */
  readonly path: Path
  /** Whether the request's path ended with a slash. */
  readonly isFolder: boolean
  /** What stands for `{id}`; 0 where the pattern has none. */
  readonly id: number
  /** What stands for `{size}`, undecoded; empty where the pattern has none. */
  readonly word: string
  readonly query: QueryOf<E>
  readonly body: BodyOf<E>
  /** The request's own bytes, for `body: 'bytes'`; empty otherwise. Reading begins when it is first asked for. */
  readonly bytes: Incoming
  /** `Content-Length`, where one was announced. */
  readonly sizeBytes: number | undefined
  /** A request header by its lower-case name; `undefined` where it is missing. */
  readonly header: (name: string) => string | undefined
  /** Aborts when the client has left or the server stops. */
  readonly signal: AbortSignal
  readonly client: ClientFacts
}

/** Who is at the other end of the connection, as far as it can be told. */
export type ClientFacts = {
  readonly address: string
  readonly agent: string
  /** By TLS, or a trusted proxy says so. */
  readonly isSecure: boolean
  /** Whether the connection itself comes from a trusted proxy, so that its headers count. */
  readonly isProxy: boolean
}

/** What an operation answers; the headers that every answer carries are added behind it. */
export type Answer = {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Several cookies may be set. */
  readonly cookies?: readonly string[]
} & (
  | { readonly kind: 'status' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly json: unknown }
  /** JSON that is written already. */
  | { readonly kind: 'json-text'; readonly text: string }
  /** Written as it comes; the first piece is flushed at once. */
  | {
      readonly kind: 'pieces'
      readonly contentType: string
      readonly pieces: AsyncIterable<string | Uint8Array>
    }
  /** Made of a person's bytes while it is sent; leaves as a download, as it is. */
  | {
      readonly kind: 'download'
      readonly name: string
      readonly contentType: string
      readonly pieces: AsyncIterable<Uint8Array>
    }
  /** User bytes: content headers, validators, ranges and preconditions are the door's (security 3.7, RFC 9110). Closes the file. */
  | {
      readonly kind: 'file'
      readonly file: OpenFile
      readonly isInline: boolean
      /** The media type of what we made ourselves: it is true, whatever the name and the first bytes say. */
      readonly type?: string
    }
)

/** The original's one-line text of a status: `200 OK` and a newline. */
export const done: Answer = { kind: 'status', status: 200 }

/** Gives its answer at once where it has nothing to wait for. */
export type Operation<E extends Endpoint> = (asked: Asked<E>) => Answer | Promise<Answer>

/** An endpoint bound to the operation that does its work. */
export type Route = { readonly endpoint: Endpoint; readonly operation: Operation<Endpoint> }

/** Binds an operation to its endpoint, with the types of the endpoint's own schemas. */
export const route = <E extends Endpoint>(endpoint: E, operation: Operation<E>): Route => ({
  endpoint,
  operation,
})
