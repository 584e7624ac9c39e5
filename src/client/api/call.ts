import type { ErrorCode } from '../../shared/domain/failure.ts'
import { routes, type RouteName } from '../../shared/contract/routes.ts'
import { endSession, tokenOf } from '../state/session.ts'
import { href, type Target } from './href.ts'
import { origin } from './origin.ts'
import { renewSoon } from './renewal.ts'

export type CallOptions = Target & {
  /** An object is sent as JSON, anything else as it is. */
  readonly body?: BodyInit | object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The answer 401 is a result here (a login, a renewal at start) and ends no session. */
  readonly isProbe?: boolean
}

/** A call that did not succeed. Status 0: the server could not be reached. */
export class CallError extends Error {
  readonly status: number
  readonly code: ErrorCode | null
  readonly text: string
  readonly retryAfterSeconds: number | null
  constructor(status: number, details: Partial<Pick<CallError, 'code' | 'text' | 'retryAfterSeconds'>> = {}) {
    super(`${status} ${details.code ?? ''}`.trim())
    this.name = 'CallError'
    this.status = status
    this.code = details.code ?? null
    this.text = details.text ?? ''
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
  }
}

/** The status of anything thrown by a call: 0 without a network, 500 for what is no failed call at all. */
export const statusOf = (thrown: unknown): number => (thrown instanceof CallError ? thrown.status : 500)

/** Whether a call was cancelled by whoever made it; nobody needs to be told. */
export const isAborted = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'AbortError'

/**
 * Makes a call of the contract as the signed-in user and gives its successful answer.
 * @throws CallError for every other answer; the `AbortError` of the signal when cancelled.
 */
export async function call(name: RouteName, options: CallOptions = {}): Promise<Response> {
  const token = tokenOf()
  const answer = await request(name, options, token)
  if (answer.headers.get('x-renew-token') === 'true') renewSoon()
  if (answer.ok) return answer
  if (answer.status === 401 && token !== null && !options.isProbe) endSession('ended', token)
  throw await failureOf(answer)
}

/** As `call`; the answer read as JSON. */
export async function callJson<T>(name: RouteName, options: CallOptions = {}): Promise<T> {
  return (await call(name, options)).json() as Promise<T>
}

/** The headers that every request of this tab carries; for what does not go through `call` (upload progress). */
export const ownHeaders = (token: string | null = tokenOf()): Record<string, string> => ({
  'X-Origin': origin,
  ...(token !== null && { 'X-Auth': token }),
})

async function request(name: RouteName, options: CallOptions, token: string | null): Promise<Response> {
  const { body, headers, signal } = options
  const isJson = body !== undefined && isPlain(body)
  try {
    return await fetch(href(name, options), {
      method: routes[name].method,
      headers: {
        ...ownHeaders(token),
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

const isPlain = (body: BodyInit | object): boolean =>
  typeof body === 'object' &&
  [Object.prototype, Array.prototype].includes(Object.getPrototypeOf(body) as object)

async function failureOf(answer: Response): Promise<CallError> {
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN)
  return new CallError(answer.status, {
    code: answer.headers.get('x-error') as ErrorCode | null,
    text: (await answer.text().catch(() => '')).trim(),
    retryAfterSeconds: Number.isFinite(wait) ? wait : null,
  })
}
