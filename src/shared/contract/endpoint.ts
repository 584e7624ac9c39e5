import type { TSchema } from 'typebox'
import type { Permission } from '../domain/access.ts'
import type { ErrorCode } from '../domain/failure.ts'
import type { RouteName } from './routes.ts'
import type { Wire } from './wire.ts'

/**
 * The callers that an endpoint admits. `anyone`: no login is looked for. `session`: any caller with a living session.
 * `self-or-admin`: the user that `{id}` names, or an administrator. `admin`: administrators only.
 */
export type Audience = 'anyone' | 'session' | 'self-or-admin' | 'admin'

/** The way a request's body is read: not at all, as JSON that a schema describes, or as a stream of bytes. */
export type BodyKind = 'none' | 'json' | 'bytes'

/** A header that a call reads or sends in addition to the headers of every call, as the OpenAPI page describes it. */
export type NamedHeader = {
  readonly name: string
  readonly description: string
  readonly isRequired?: boolean
  /** The schema of the value; any text when it is left out. */
  readonly schema?: TSchema
}

/**
 * One call of the API as data. The server's routes and checks, the OpenAPI page and the test matrix are derived from
 * it.
 */
export type Endpoint = {
  readonly route: RouteName
  readonly summary: string
  readonly audience: Audience
  /**
   * The permission that the call always needs. An operation checks a permission itself when it depends on the request.
   */
  readonly needs?: Permission
  /** True when a token or ticket in `?auth=` is accepted (contract 2.2). */
  readonly takesTokenInQuery?: boolean
  /** True when the cookie alone authenticates a change; only logging out allows that. */
  readonly takesCookieForChange?: boolean
  /** True when the text that `*` stands for is decoded before it is split at slashes (contract 9.6). */
  readonly decodesWholePath?: boolean
  /** True when `*` stands for the identifier of something else than an entry, so that no disk is accessed. */
  readonly hasIdentifierPath?: boolean
  /** Headers of every answer, refusals included. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: TSchema
  readonly body: BodyKind
  readonly schema?: TSchema
  readonly maxBodyBytes?: number
  /** The media type of a body of bytes; any when it is left out. */
  readonly bodyMediaType?: string
  /** Headers of the request that the operation reads. */
  readonly requestHeaders?: readonly NamedHeader[]
  /** The statuses of a success; only 200 when they are left out. */
  readonly successStatuses?: readonly number[]
  /** The schemas of a success by media type; left out, a success is the one-line text of its status. */
  readonly answers?: Readonly<Record<string, TSchema>>
  /** The schemas of one line, for media types whose answers are one JSON value on each line. */
  readonly lineSchemas?: Readonly<Record<string, TSchema>>
  /** Headers of a success that carry information. */
  readonly responseHeaders?: readonly NamedHeader[]
  /** True for the handshake of a socket. */
  readonly isSocket?: boolean
  /** Failures of this call in addition to those that follow from the rest of the declaration. */
  readonly failures?: readonly ErrorCode[]
}

/**
 * Declares an endpoint and keeps its exact types, so that its operation and its calls in the client are typed by its
 * schemas.
 */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** The query of an endpoint's requests; an endpoint without a query schema has no keys. */
export type QueryOf<E extends Endpoint> = E extends { readonly query: infer Schema extends TSchema }
  ? Wire<Schema>
  : Readonly<Record<string, never>>

/** The parsed JSON body of an endpoint's requests; undefined for an endpoint without a body schema. */
export type BodyOf<E extends Endpoint> = E extends { readonly schema: infer Schema extends TSchema }
  ? Wire<Schema>
  : undefined

/** The JSON of an endpoint's successful answers; never for an endpoint that answers no JSON. */
export type JsonAnswerOf<E extends Endpoint> = E extends {
  readonly answers: { readonly 'application/json': infer Schema extends TSchema }
}
  ? Wire<Schema>
  : never
