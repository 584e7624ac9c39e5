import type { TSchema } from 'typebox'
import type { Permission } from '../domain/access.ts'
import type { ErrorCode } from '../domain/failure.ts'
import type { RouteName } from './routes.ts'
import type { WireType } from './wire.ts'

/**
 * The callers that an endpoint admits. `anyone`: credentials are ignored. `session`: any caller with a valid session.
 * `self-or-admin`: the user that `{id}` names, or an administrator. `admin`: administrators only.
 */
export type EndpointAudience = 'anyone' | 'session' | 'self-or-admin' | 'admin'

/**
 * How the server reads a request's body: `none` means that the body is not read, `json` that it is parsed and checked
 * against a schema, and `bytes` that it is a stream of bytes.
 */
export type RequestBodyKind = 'none' | 'json' | 'bytes'

/**
 * The declaration of a request or response header that only some endpoints use. It becomes part of the OpenAPI
 * document.
 */
export type HeaderDeclaration = {
  readonly name: string
  readonly description: string
  readonly isRequired?: boolean
  /** The schema of the value. Without this field, the value may be any string. */
  readonly schema?: TSchema
}

/**
 * The declaration of one endpoint of the API. The server's routes and checks, the OpenAPI document and the test matrix
 * are derived from it.
 */
export type Endpoint = {
  readonly route: RouteName
  readonly summary: string
  readonly audience: EndpointAudience
  /**
   * The permission that every request needs. A permission that only some requests need is checked by the operation
   * itself.
   */
  readonly needs?: Permission
  /** True when a token or ticket in `?auth=` is accepted (contract 2.2). */
  readonly takesTokenInQuery?: boolean
  /**
   * True when the cookie alone authenticates a request that changes data. Only the endpoint for logging out allows
   * this.
   */
  readonly takesCookieForChange?: boolean
  /** True when the part of the URL that matches `*` is percent-decoded before it is split at slashes (contract 9.6). */
  readonly decodesWholePath?: boolean
  /**
   * True when the part of the URL that matches `*` identifies something other than a file or folder, so that no disk is
   * accessed.
   */
  readonly hasIdentifierPath?: boolean
  /** Headers that every response of the endpoint contains, including responses to failed requests. */
  readonly headers?: Readonly<Record<string, string>>
  readonly query?: TSchema
  readonly body: RequestBodyKind
  readonly schema?: TSchema
  readonly maxBodyBytes?: number
  /** The media type of a request body of kind `bytes`. Without this field, any media type is accepted. */
  readonly bodyMediaType?: string
  /** Headers of the request that the operation reads. */
  readonly requestHeaders?: readonly HeaderDeclaration[]
  /** The HTTP statuses of successful responses. Without this field, 200 is the only status. */
  readonly successStatuses?: readonly number[]
  /**
   * Schemas of the successful response, by media type. Without this field, the endpoint responds with its status as one
   * line of text.
   */
  readonly responses?: Readonly<Record<string, TSchema>>
  /**
   * Schemas of a single line, by media type. Only media types whose responses contain one JSON value per line have such
   * a schema.
   */
  readonly lineSchemas?: Readonly<Record<string, TSchema>>
  /** Declarations of the headers of successful responses that clients can use. */
  readonly responseHeaders?: readonly HeaderDeclaration[]
  /** True when the request opens a WebSocket. */
  readonly isSocket?: boolean
  /** Error codes of this endpoint that cannot be derived from the rest of its declaration. */
  readonly failures?: readonly ErrorCode[]
}

/**
 * Declares an endpoint and keeps its exact types, so that its operation and its calls in the client are typed by its
 * schemas.
 */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** The parsed query of an endpoint's requests. The type has no keys when the endpoint declares no query schema. */
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
