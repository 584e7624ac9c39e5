import type { BodyOf, Endpoint, JsonAnswerOf, QueryOf } from '../../shared/contract/endpoint.ts'
import type { EndpointOf } from '../../shared/contract/endpoints.ts'
import type { HasPath, ParametersOf, PatternOf, RouteName } from '../../shared/contract/routes.ts'
import type { Path } from '../../shared/domain/path.ts'

/** What the address of a call is made of: the parameters of its pattern, the path that `*` stands for, and its query. */
export type CallTarget<Name extends RouteName> = ParametersOf<PatternOf<Name>> &
  (HasPath<PatternOf<Name>> extends true ? PathTarget : unknown) & {
    readonly query?: QueryInput<QueryOf<EndpointOf<Name>>>
  }

type PathTarget = {
  readonly path: Path
  /** True ends the address with a slash, which tells the server that the path means a folder. */
  readonly isFolder?: boolean
}

type QueryValue = string | number | boolean

/** A query before its values are written as text. A key whose value is undefined is left out. */
type QueryInput<Query> = {
  readonly [Key in keyof Query]: [Query[Key]] extends [never]
    ? never
    : QueryValue | (object extends Pick<Query, Key> ? undefined : never)
}

/** All that a call of this name may be given, as its endpoint declares it. */
export type CallOptions<Name extends RouteName> = CallTarget<Name> &
  BodyOption<EndpointOf<Name>> &
  RequestOptions

/** An object is sent as JSON, anything else as it is. */
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
  /** True for a login and for the renewal at start: the answer 401 is a result there, and ends no session. */
  readonly isProbe?: boolean
}

/** The argument of a function whose options may be left out when none of them is required. */
export type OptionalArgument<Options> = object extends Options ? [options?: Options] : [options: Options]

/** The JSON that the endpoint of a call declares as its answer; never where the endpoint answers no JSON. */
export type JsonOf<Name extends RouteName> = JsonAnswerOf<EndpointOf<Name>>

/** The answer of a call, whose JSON has the type that the endpoint declares. */
export type CallAnswer<Name extends RouteName> = { json(): Promise<JsonOf<Name>> } & Response

/** The names of the calls that answer JSON. */
export type JsonRouteName = {
  [Name in RouteName]: [JsonOf<Name>] extends [never] ? never : Name
}[RouteName]

/** The target of any call, for the code that builds addresses: each call has some of these members. */
export type AnyCallTarget = Partial<PathTarget & ParametersOf<PatternOf<RouteName>>> & {
  readonly query?: Readonly<Record<string, QueryValue | undefined>>
}

/** The options of any call, for the code that sends requests. */
export type AnyCallOptions = AnyCallTarget & RequestOptions & { readonly body?: unknown }
