import { type Permission, permissions } from '../../shared/domain/access.ts'
import { refusedValues, type ErrorCode, type RefusedValue } from '../../shared/domain/failure.ts'
import { routes, type RouteName } from '../../shared/contract/routes.ts'
import { PartLoadError } from '../state/parts/part-load-error.ts'
import { userSignal } from '../state/personal.ts'
import { expireSession, tokenOf, untilLoggedIn, userOf } from '../state/session.ts'
import type {
  AnyCallOptions,
  CallResponse,
  CallOptions,
  JsonOf,
  JsonRouteName,
  OptionalArgument,
} from './call-options.ts'
import { parseErrorCode, parseRefusalReason } from './error-code.ts'
import { urlOf } from './href.ts'
import { origin } from './origin.ts'
import { renewSession } from './renewal.ts'

/** The facts about a failure that a server may send, before anything is known. */
const noFacts = {
  code: null,
  retryAfterSeconds: null,
  permission: null,
  refusal: null,
  refused: null,
  minimumLength: null,
  receivedHost: null,
  requestId: null,
}

/** The error of a call that did not succeed. Status 0 means that the server could not be reached. */
export class CallError extends Error {
  readonly status: number
  declare readonly code: ErrorCode | null
  declare readonly retryAfterSeconds: number | null
  /** The permission that the user lacks, if the server has named one. */
  declare readonly permission: Permission | null
  /** The reason with which a program of the administrator has refused a change, if the server has sent one. */
  declare readonly refusal: string | null
  /** The value that the server refused, if it has named one. */
  declare readonly refused: RefusedValue | null
  /** The minimum length of the refused value in characters, if the server has sent one. */
  declare readonly minimumLength: number | null
  /** The address at which the server received a request that it refused because of the address. */
  declare readonly receivedHost: string | null
  /** The id of the request in the log of the server, if the server has sent one. */
  declare readonly requestId: string | null
  constructor(status: number, facts: Partial<Pick<CallError, keyof typeof noFacts>> = {}) {
    super(`${status} ${facts.code ?? ''}`.trim())
    this.name = 'CallError'
    this.status = status
    Object.assign(this, noFacts, facts)
  }
}

/**
 * Returns the status of an error thrown by a call or by the load of a part of the page: 0 when the server could not be reached,
 * `updatedStatus` when it no longer has the part, and 500 for other errors.
 */
export const statusOf = (thrown: unknown): number =>
  thrown instanceof CallError || thrown instanceof PartLoadError ? thrown.status : 500

/** Returns true when the error means that the caller cancelled the call. No error message is needed then. */
export const isAborted = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'AbortError'

/**
 * Calls an endpoint of the contract as the signed-in user and returns the successful response. When the session has
 * expired, the function waits until the same user has logged in again, and repeats the request once. A call with
 * `isProbe` (a login, a logout and the renewal when the page opens) does not wait, and its status 401 does not end the
 * session.
 * @throws CallError for every other response, and the `AbortError` of the signal when the call is cancelled.
 */
export function call<Name extends RouteName>(
  name: Name,
  ...options: OptionalArgument<CallOptions<Name>>
): Promise<CallResponse<Name>>
export async function call(name: RouteName, options: AnyCallOptions = {}): Promise<Response> {
  if (options.isProbe) return attempt(name, options)
  const untilLogout = userSignal()
  const signal = options.signal === undefined ? untilLogout : AbortSignal.any([untilLogout, options.signal])
  await untilLoggedIn(signal)
  try {
    return await attempt(name, { ...options, signal })
  } catch (thrown) {
    if (statusOf(thrown) !== 401 || userOf() === null) throw thrown
    await untilLoggedIn(signal)
    return attempt(name, { ...options, signal })
  }
}

async function attempt(name: RouteName, options: AnyCallOptions): Promise<Response> {
  const token = tokenOf()
  const response = await request(name, options, token)
  if (response.headers.get('x-renew-token') === 'true') void renewSession()
  if (response.ok) return response
  if (response.status === 401 && token !== null && !options.isProbe) expireSession(token)
  throw await failureOf(response)
}

/** Calls an endpoint as `call` does and returns the parsed JSON of the response. */
export async function callJson<Name extends JsonRouteName>(
  name: Name,
  ...options: OptionalArgument<CallOptions<Name>>
): Promise<JsonOf<Name>> {
  const response = await call(name, ...options)
  return response.json()
}

/**
 * Returns the headers that every request of this tab carries, for requests that do not go through `call`, such as
 * uploads with progress.
 */
export const tabHeaders = (token: string | null = tokenOf()): Record<string, string> => ({
  'X-Origin': origin,
  ...(token !== null && { 'X-Auth': token }),
})

async function request(name: RouteName, options: AnyCallOptions, token: string | null): Promise<Response> {
  const { body, headers, signal, isHead = false } = options
  const isJson = body !== undefined && isPlain(body)
  try {
    return await fetch(urlOf(name, options), {
      method: isHead ? 'HEAD' : routes[name].method,
      headers: {
        ...tabHeaders(token),
        ...(isJson && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as BodyInit) }),
      ...(signal !== undefined && { signal }),
    })
  } catch (cause) {
    if (isAborted(cause)) throw cause
    throw new CallError(0)
  }
}

const isPlain = (body: unknown): boolean =>
  typeof body === 'object' &&
  body !== null &&
  [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(body) as object)

async function failureOf(response: Response): Promise<CallError> {
  // The text is English and for other clients. It is read so that the connection can be used again.
  await response.text().catch(() => '')
  const header = (name: string) => response.headers.get(name)
  return new CallError(response.status, {
    code: parseErrorCode(header('x-error')),
    retryAfterSeconds: numberOf(header('retry-after')),
    permission: permissions.find((name) => name === header('x-permission')) ?? null,
    refusal: parseRefusalReason(header('x-refusal-reason')),
    refused: refusedValues.find((name) => name === header('x-refused')) ?? null,
    minimumLength: numberOf(header('x-minimum-length')),
    receivedHost: header('x-received-host'),
    requestId: header('x-request-id'),
  })
}

/** Returns the number that a header contains. Null for 0, and for a header without a number. */
const numberOf = (header: string | null): number | null => Number.parseInt(header ?? '', 10) || null
