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

/** The error of a call that did not succeed. Status 0 means that the server could not be reached. */
export class CallError extends Error {
  readonly status: number
  readonly code: ErrorCode | null
  readonly retryAfterSeconds: number | null
  /** The permission that the user lacks, if the server has named one. */
  readonly permission: Permission | null
  /** The reason with which a program of the administrator has refused a change, if the server has sent one. */
  readonly refusal: string | null
  /** The value that the server refused, if it has named one. */
  readonly refused: RefusedValue | null
  /** The minimum length of the refused value in characters, if the server has sent one. */
  readonly minimumLength: number | null
  /** The address at which the server received a request that it refused because of the address. */
  readonly receivedHost: string | null
  /** The id of the request in the log of the server, if the server has sent one. */
  readonly requestId: string | null
  constructor(status: number, details: Partial<Omit<CallError, keyof Error | 'status'>> = {}) {
    super(`${status} ${details.code ?? ''}`.trim())
    this.name = 'CallError'
    this.status = status
    this.code = details.code ?? null
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.permission = details.permission ?? null
    this.refusal = details.refusal ?? null
    this.refused = details.refused ?? null
    this.minimumLength = details.minimumLength ?? null
    this.receivedHost = details.receivedHost ?? null
    this.requestId = details.requestId ?? null
  }
}

/**
 * Returns the status of an error thrown by a call: 0 when the server could not be reached, also for the code
 * of a part of the page, and 500 for other errors.
 */
export function statusOf(thrown: unknown): number {
  if (thrown instanceof PartLoadError) return 0
  return thrown instanceof CallError ? thrown.status : 500
}

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
  return new CallError(response.status, {
    code: parseErrorCode(response.headers.get('x-error')),
    retryAfterSeconds: numberOf(response.headers.get('retry-after')),
    permission: permissions.find((name) => name === response.headers.get('x-permission')) ?? null,
    refusal: parseRefusalReason(response.headers.get('x-refusal-reason')),
    refused: refusedValues.find((name) => name === response.headers.get('x-refused')) ?? null,
    minimumLength: numberOf(response.headers.get('x-minimum-length')),
    receivedHost: response.headers.get('x-received-host'),
    requestId: response.headers.get('x-request-id'),
  })
}

/** Returns the number that a header contains, or null. */
function numberOf(header: string | null): number | null {
  const value = Number(header ?? Number.NaN)
  return Number.isFinite(value) ? value : null
}
