import { routes, type RouteName } from '../../../../shared/contract/routes.ts'
import { tabHeaders } from '../../../api/call.ts'
import { config } from '../../../api/config.ts'

/** A response to a request that measures. Null stands for a request without a response. */
export type ProbeResponse = {
  readonly status: number
  readonly header: (name: string) => string | null
  readonly text: string
} | null

export type ProbeOptions = {
  readonly signal: AbortSignal
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** `no-store` keeps the browser from answering from its own cache. */
  readonly cache?: RequestCache
  /** The time limit in milliseconds. */
  readonly patienceMs?: number
}

/** The time limit in milliseconds of a measurement that does not wait on purpose. */
const usualPatienceMs = 20_000
/** The time limit in milliseconds of a body. The server reads a body for at most 120 s. */
const bodyPatienceMs = 120_000

/** Returns the address of an endpoint of the doctor. */
export const addressOf = (name: RouteName, query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString()
  return `${config().BaseURL}${routes[name].pattern}${text === '' ? '' : `?${text}`}`
}

/**
 * Sends a request that measures, with the headers of this tab. Unlike a call, a refusal ends no session, because it may come
 * from the proxy. Throws the reason of a signal that has aborted before.
 */
export async function probe(
  address: string,
  { signal, patienceMs = usualPatienceMs, ...init }: ProbeOptions,
): Promise<ProbeResponse> {
  signal.throwIfAborted()
  try {
    const response = await fetch(address, {
      ...init,
      headers: { ...tabHeaders(), ...init.headers },
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
    })
    const { status, headers } = response
    return { status, header: (name) => headers.get(name), text: await response.text() }
  } catch {
    return null
  }
}

/** A body that was sent: the response, and the times in milliseconds until the last byte was sent and until the response. */
export type SentBody = {
  readonly response: NonNullable<ProbeResponse>
  readonly sentMs: number
  readonly totalMs: number
}

/**
 * Sends a body. Only XMLHttpRequest tells when the last byte was sent. Status 0 means that there was no response, and status 408
 * that it did not come in time.
 */
export async function sendBody(address: string, body: Blob, signal: AbortSignal): Promise<SentBody> {
  signal.throwIfAborted()
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    const startMs = performance.now()
    let sentMs = 0
    let isLate = false
    request.open('POST', address)
    request.timeout = bodyPatienceMs
    request.addEventListener('timeout', () => void (isLate = true))
    for (const [name, value] of Object.entries(tabHeaders())) request.setRequestHeader(name, value)
    request.upload.addEventListener('load', () => void (sentMs = performance.now() - startMs))
    const abort = (): void => request.abort()
    signal.addEventListener('abort', abort)
    request.addEventListener('loadend', () => {
      signal.removeEventListener('abort', abort)
      const { responseText } = request
      const status = isLate ? 408 : request.status
      resolve({
        response: { status, header: (name) => request.getResponseHeader(name), text: responseText },
        sentMs,
        totalMs: performance.now() - startMs,
      })
    })
    request.send(body)
  })
}

/** The times in milliseconds at which the first part of a stream arrived and at which it ended. Null when it failed. */
export type StreamTimes = { readonly firstMs: number; readonly endMs: number } | null

/** Reads a stream and measures when its parts arrive. */
export async function timeStream(address: string, signal: AbortSignal): Promise<StreamTimes> {
  signal.throwIfAborted()
  const startMs = performance.now()
  try {
    const response = await fetch(address, {
      headers: tabHeaders(),
      signal: AbortSignal.any([signal, AbortSignal.timeout(usualPatienceMs)]),
      cache: 'no-store',
    })
    const reader = response.body?.getReader()
    if (!response.ok || reader === undefined) return null
    let firstMs: number | null = null
    while (!(await reader.read()).done) firstMs ??= performance.now() - startMs
    return firstMs === null ? null : { firstMs, endMs: performance.now() - startMs }
  } catch {
    return null
  }
}

/** Returns true when the socket of changes opens. */
export async function opensSocket(signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  const address = new URL(addressOf('events.open'), window.location.href)
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return new Promise((resolve) => {
    const socket = new WebSocket(address)
    const settle = (isOpen: boolean) => () => {
      clearTimeout(timer)
      resolve(isOpen)
      socket.close()
    }
    const timer = setTimeout(settle(false), usualPatienceMs)
    socket.addEventListener('open', settle(true))
    socket.addEventListener('error', settle(false))
    signal.addEventListener('abort', settle(false))
  })
}
