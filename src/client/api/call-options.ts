import type { BodyOf, Endpoint, JsonResponseOf, QueryOf } from '../../shared/contract/endpoint.ts'
import type { EndpointOf } from '../../shared/contract/endpoints.ts'
import type { HasPath, ParametersOf, PatternOf, RouteName } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'

/**
 * The parts of the URL of a call: the parameters of its pattern, the path that replaces `*` in the pattern, and the
 * query.
 */
export type CallTarget<Name extends RouteName> = ParametersOf<PatternOf<Name>> &
  (HasPath<PatternOf<Name>> extends true ? PathTarget : unknown) & {
    readonly query?: QueryInput<QueryOf<EndpointOf<Name>>>
  }

type PathTarget = {
  readonly path: Path
  /** True adds a slash to the end of the URL, which marks the path as a folder. */
  readonly isFolder?: boolean
}

type QueryValue = string | number | boolean

/** A query before its values are converted to strings. Keys with the value undefined are not sent. */
type QueryInput<Query> = {
  readonly [Key in keyof Query]: [Query[Key]] extends [never]
    ? never
    : QueryValue | (object extends Pick<Query, Key> ? undefined : never)
}

/** All options of a call, with the types that its endpoint declares. */
export type CallOptions<Name extends RouteName> = CallTarget<Name> &
  BodyOption<EndpointOf<Name>> &
  RequestOptions

/**
 * The body of a call. Plain objects and arrays are sent as JSON. All other values, such as strings, blobs and buffers,
 * are sent unchanged.
 */
type BodyOption<E extends Endpoint> = E['body'] extends 'none'
  ? unknown
  : E['body'] extends 'bytes'
    ? { readonly body?: BodyInit }
    : undefined extends BodyOf<E>
      ? { readonly body?: BodyOf<E> }
      : { readonly body: BodyOf<E> }

type RequestOptions = {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /**
   * True for a login, a logout and the renewal when the page opens. These requests do not wait for a new login, and
   * their status 401 does not end the session.
   */
  readonly isProbe?: boolean
  /** True sends the request as HEAD: the server checks it and responds with the headers only. */
  readonly isHead?: boolean
}

/** The rest parameters of a function whose options argument is optional when no option is required. */
export type OptionalArgument<Options> = object extends Options ? [options?: Options] : [options: Options]

/** The type of the JSON response that an endpoint declares, or `never` when the endpoint does not respond with JSON. */
export type JsonOf<Name extends RouteName> = JsonResponseOf<EndpointOf<Name>>

/** The response of a call. Its JSON has the type that the endpoint declares. */
export type CallResponse<Name extends RouteName> = { json(): Promise<JsonOf<Name>> } & Response

/** The names of the endpoints that respond with JSON. */
export type JsonRouteName = {
  [Name in RouteName]: [JsonOf<Name>] extends [never] ? never : Name
}[RouteName]

/** The target of a call to any endpoint, for code that builds URLs. Each endpoint uses some of these fields. */
export type AnyCallTarget = Partial<PathTarget & ParametersOf<PatternOf<RouteName>>> & {
  readonly query?: Readonly<Record<string, QueryValue | undefined>>
}

/** The options of a call to any endpoint, for the code that sends requests. */
export type AnyCallOptions = AnyCallTarget & RequestOptions & { readonly body?: unknown }
