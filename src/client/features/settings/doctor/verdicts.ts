import type { DoctorEcho, DoctorReceived } from '../../../../shared/contract/doctor.ts'
import type { ProbeResponse, SentBody, StreamTimes } from './probe.ts'

/** The result of a measurement. `unmeasured`: another problem has to be solved first, or the server is busy. */
export type Verdict = 'ok' | 'found' | 'unmeasured'

const foundIf = (isFound: boolean): Verdict => (isFound ? 'found' : 'ok')

/** Returns true for a response that the server made. Each failure of the server has a code, and that of a proxy has none. */
export const isOfServer = (response: ProbeResponse): boolean =>
  response !== null && response.header('x-error') !== null

/** Reads what the server says about a request. Null when the response is none of the server. */
export function echoOf(response: ProbeResponse): DoctorEcho | null {
  if (response?.status !== 200) return null
  try {
    const echo = JSON.parse(response.text) as Partial<DoctorEcho>
    return typeof echo.id === 'string' ? (echo as DoctorEcho) : null
  } catch {
    return null
  }
}

/** Returns true when an address of the API shows the page: the request arrived at another address than it was sent to. */
export const showsPage = (response: ProbeResponse): boolean =>
  response !== null && (response.header('content-type') ?? '').startsWith('text/html')

/** The address of this page, as the browser shows it. */
export type PageAddress = { readonly host: string; readonly isSecure: boolean }

export const tokenVerdict = ({ hasToken }: DoctorEcho): Verdict => foundIf(!hasToken)

export const trustVerdict = ({ isProxyTrusted, isForwarded }: DoctorEcho): Verdict =>
  foundIf(isForwarded && !isProxyTrusted)

/** Compares the host of the page with the one that arrived, or that a trusted proxy forwards. */
export function hostVerdict({ host, forwardedHost }: DoctorEcho, page: PageAddress): Verdict {
  const forwarded = forwardedHost.split(',').map((each) => each.trim())
  return foundIf(host !== page.host && !forwarded.includes(page.host))
}

/** Compares the scheme of the page with the one that the server knows. A proxy has to be trusted first. */
export const schemeVerdict = (echo: DoctorEcho, page: PageAddress): Verdict =>
  trustVerdict(echo) === 'found' ? 'unmeasured' : foundIf(echo.isSecure !== page.isSecure)

/**
 * Judges the address in `Location`, which a proxy may have changed. `expected` is the path with the base path; `origin` is that
 * of the page.
 */
export function basePathVerdict(response: ProbeResponse, expected: string, origin: string): Verdict {
  const location = response?.header('location') ?? null
  if (location === null) return 'found'
  return foundIf(URL.parse(location, origin)?.pathname !== expected)
}

/** `closed` and `open`: the responses for a name with a slash, escaped once and twice. The first is no path, the second does not exist. */
export const escapesVerdict = (closed: ProbeResponse, open: ProbeResponse): Verdict =>
  foundIf(!isOfServer(closed) || !isOfServer(open) || closed?.status !== 400 || open?.status !== 404)

/** The server refuses these methods at an address that has none of them, with a code. */
export const methodsVerdict = (responses: readonly ProbeResponse[]): Verdict =>
  foundIf(responses.some((response) => !isOfServer(response)))

/** `long` has a long request line, and `tall` asks for a long header of the response. */
export const headerSizeVerdict = (long: ProbeResponse, tall: ProbeResponse): Verdict =>
  foundIf(echoOf(long) === null || echoOf(tall) === null)

/** A part of the test file, in the notation of the header `Range`, and what it contains. */
export const testedRange = { header: 'bytes=1000-1006', bytes: 'stowage' } as const

export function rangeVerdict(response: ProbeResponse): Verdict {
  if (response === null || response.status >= 400) return isOfServer(response) ? 'unmeasured' : 'found'
  const isPart = response.status === 206 && response.text === testedRange.bytes
  return foundIf(!isPart || response.header('content-range') !== 'bytes 1000-1006/65536')
}

/** A file that was compressed on the way has another length, no length, or a tag that is not exact. */
export function compressionVerdict(response: ProbeResponse): Verdict {
  if (response?.status !== 200) return 'unmeasured'
  const encoding = response.header('content-encoding') ?? 'identity'
  const isWeak = response.header('etag')?.startsWith('W/') === true
  return foundIf(encoding !== 'identity' || response.header('content-length') !== '65536' || isWeak)
}

/** Two requests with the same address have different responses. `page` has an age when it was stored. */
export function cacheVerdict(one: ProbeResponse, other: ProbeResponse, page: ProbeResponse): Verdict {
  const [first, second] = [echoOf(one), echoOf(other)]
  if (first === null || second === null) return 'unmeasured'
  return foundIf(first.id === second.id || Number(page?.header('age') ?? 0) > 0)
}

/** A proxy refuses a large body with 413, or closes the connection. Other refusals have other reasons. */
export function bodyLimitVerdict({ response }: SentBody): Verdict {
  if (response.status === 200) return 'ok'
  return isOfServer(response) || ![0, 413].includes(response.status) ? 'unmeasured' : 'found'
}

/** The time in milliseconds for which the server does not read the body, so that a proxy that passes it on has to wait. */
export const pauseMs = 1500

/**
 * Judges whether the way keeps an upload. Without a buffer, the browser is still sending while the server waits. With a buffer,
 * the browser has sent everything before the server gets the head of the request.
 */
export function uploadBufferVerdict({ response, sentMs, totalMs }: SentBody): Verdict {
  if (response.status !== 200) return 'unmeasured'
  const receivingMs = receivingMsIn(response.text)
  if (receivingMs === null) return 'unmeasured'
  const overlapMs = sentMs - (totalMs - receivingMs)
  return foundIf(overlapMs < pauseMs / 3)
}

/** Reads how long the server received a body. Null for a text that the server did not send. */
function receivingMsIn(text: string): number | null {
  try {
    const received = JSON.parse(text) as Partial<DoctorReceived> | null
    return typeof received?.receivingMs === 'number' ? received.receivingMs : null
  } catch {
    return null
  }
}

/** The lines of the measured stream: their number, and the time in milliseconds between two of them. */
export const measuredLines = { lines: 6, everyMs: 300 } as const

/** Without a buffer, the first line arrives long before the last one. */
export function streamVerdict(times: StreamTimes): Verdict {
  if (times === null) return 'unmeasured'
  return foundIf(times.endMs - times.firstMs < (measuredLines.lines * measuredLines.everyMs) / 2)
}

/** A proxy that does not wait closes the connection, or responds with a failure of its own. */
export function timeoutVerdict(response: ProbeResponse): Verdict {
  if (response?.status === 200) return 'ok'
  return isOfServer(response) ? 'unmeasured' : 'found'
}
