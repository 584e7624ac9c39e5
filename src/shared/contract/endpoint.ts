import type { Static, TSchema } from 'typebox'
import type { Permission } from '../domain/access.ts'
import type { ErrorCode } from '../domain/failure.ts'
import type { RouteName } from './routes.ts'

/**
 * Who may call it. `anyone`: no login is looked for. `session`: a living session. `self-or-admin`: the session's user is the
 * one that `{id}` names, or an administrator. `admin`: administrators only.
 */
export type Who = 'anyone' | 'session' | 'self-or-admin' | 'admin'

/** How the request's body is taken: not at all, as JSON of a schema, or as the stream of bytes that it is. */
export type BodyKind = 'none' | 'json' | 'bytes'

/** A header that a call reads or tells beside those of every call, in the words of the OpenAPI page. */
export type NamedHeader = {
  readonly name: string
  readonly says: string
  readonly isRequired?: boolean
  /** Left out, it is any text. */
  readonly schema?: TSchema
}

/** One call of the API, as data: the server's routes, its checks, its OpenAPI page and the tests' matrix are made from it. */
export type Endpoint = {
  readonly route: RouteName
  readonly summary: string
  readonly who: Who
  /** The permission that the call always needs. One that depends on what is asked for is judged by the operation. */
  readonly needs?: Permission
  /** Whether `?auth=` counts here (contract 2.2). */
  readonly takesTokenInQuery?: boolean
  /** Whether the cookie alone is enough for a change: only logging out. */
  readonly takesCookieForChange?: boolean
  /** Whether what stands for `*` is decoded before it is split at slashes (contract 9.6). */
  readonly takesPathWhole?: boolean
  /** Whether what stands for `*` names something of the server's own, and no entry: no disk is asked. */
  readonly isOfName?: boolean
  /** Headers of every answer, refusals included. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: TSchema
  readonly body: BodyKind
  readonly schema?: TSchema
  readonly maxBodyBytes?: number
  /** Media type of a body of bytes; left out, any. */
  readonly sends?: string
  /** Headers of the request that the operation reads. */
  readonly takes?: readonly NamedHeader[]
  /** Statuses of a success; left out, 200. */
  readonly succeeds?: readonly number[]
  /** What a success carries, by media type; left out, it is the one line of its status. */
  readonly gives?: Readonly<Record<string, TSchema>>
  /** What each line holds, of the media types whose answers are JSON line by line. */
  readonly lines?: Readonly<Record<string, TSchema>>
  /** Headers of a success that mean something. */
  readonly tells?: readonly NamedHeader[]
  /** Whether it is the handshake of a socket. */
  readonly isSocket?: boolean
  /** Its own failures, beside those that follow from all of the above. */
  readonly fails?: readonly ErrorCode[]
}

/** Keeps an endpoint's exact types, so that its route's handler is typed by its schemas. */
export const endpoint = <const E extends Endpoint>(it: E): E => it

export type QueryOf<E extends Endpoint> = E extends { readonly query: infer Q extends TSchema }
  ? Static<Q>
  : Readonly<Record<string, never>>
export type BodyOf<E extends Endpoint> = E extends { readonly schema: infer B extends TSchema }
  ? Static<B>
  : undefined
