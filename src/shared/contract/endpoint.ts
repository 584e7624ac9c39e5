import type { TSchema } from 'typebox'
import type { Permission } from '../domain/access.ts'
import type { ErrorCode } from '../domain/failure.ts'
import type { RouteName } from './routes.ts'
import type { WireType } from './wire.ts'

/**
 * The callers that an endpoint admits. `anyone`: credentials are ignored. `session`: any caller with a valid session.
 * `self-or-admin`: the user that `{id}` names, or an administrator. `admin`: administrators only.
 */
export type Audience = 'anyone' | 'session' | 'self-or-admin' | 'admin'

/** The way in which a request's body is read: not at all, as JSON that a schema describes, or as a stream of bytes. */
export type BodyKind = 'none' | 'json' | 'bytes'

/** A request or response header that only some calls use, as the OpenAPI document describes it. */
export type NamedHeader = {
  readonly name: string
  readonly description: string
  readonly isRequired?: boolean
  /** The schema of the value. Without this field, the value may be any text. */
  readonly schema?: TSchema
}

/**
 * The declaration of one call of the API. The server's routes and checks, the OpenAPI document and the test matrix are
 * derived from it.
 */
export type Endpoint = {
  readonly route: RouteName
  readonly summary: string
  readonly audience: Audience
  /**
   * The permission that every request needs. A permission that only some requests need is checked by the operation
   * itself.
   */
  readonly needs?: Permission
  /** True when a token or ticket in `?auth=` is accepted (contract 2.2). */
  readonly takesTokenInQuery?: boolean
  /** True when the cookie alone authenticates a call that changes data. Only logging out allows that. */
  readonly takesCookieForChange?: boolean
  /** True when the text that matches `*` is decoded before it is split at slashes (contract 9.6). */
  readonly decodesWholePath?: boolean
  /**
   * True when the text that matches `*` identifies something other than a file or folder, so that no disk is accessed.
   */
  readonly hasIdentifierPath?: boolean
  /** Headers of every response of the call, including its failures. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: TSchema
  readonly body: BodyKind
  readonly schema?: TSchema
  readonly maxBodyBytes?: number
  /** The media type of a body of bytes. Without this field, any media type is accepted. */
  readonly bodyMediaType?: string
  /** Headers of the request that the operation reads. */
  readonly requestHeaders?: readonly NamedHeader[]
  /** The statuses of successful responses. Without this field, the only one is 200. */
  readonly successStatuses?: readonly number[]
  /**
   * Schemas of the successful response, by media type. Without this field, the endpoint responds with its status as one
   * line of text.
   */
  readonly responses?: Readonly<Record<string, TSchema>>
  /** Schemas of a single line, for the media types whose responses have one JSON value on each line. */
  readonly lineSchemas?: Readonly<Record<string, TSchema>>
  /** The headers of successful responses that clients can use. */
  readonly responseHeaders?: readonly NamedHeader[]
  /** True when the call opens a WebSocket. */
  readonly isSocket?: boolean
  /** Failures of this call that cannot be derived from the rest of its declaration. */
  readonly failures?: readonly ErrorCode[]
}

/**
 * Declares an endpoint and keeps its exact types, so that its operation and its calls in the client are typed by its
 * schemas.
 */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** The query of an endpoint's requests. It has no keys where the endpoint declares no query schema. */
export type QueryOf<E extends Endpoint> = E extends { readonly query: infer Schema extends TSchema }
  ? WireType<Schema>
  : Readonly<Record<string, never>>

/** The parsed JSON body of an endpoint's requests. Undefined for an endpoint without a body schema. */
export type BodyOf<E extends Endpoint> = E extends { readonly schema: infer Schema extends TSchema }
  ? WireType<Schema>
  : undefined

/** The JSON of an endpoint's successful responses. `never` for an endpoint that does not respond with JSON. */
export type JsonResponseOf<E extends Endpoint> = E extends {
  readonly responses: { readonly 'application/json': infer Schema extends TSchema }
}
  ? WireType<Schema>
  : never
