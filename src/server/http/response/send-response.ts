import { AppError } from '../../../shared/domain/failure.ts'
import { isLoopback } from '../request/client-address.ts'
import type { HttpExchange } from '../exchange.ts'
import type { RouteResponse } from '../route.ts'
import { holdLargeBody, sendHead, sendWhole, type ResponseHeaders, type WholeResponse } from './send-whole.ts'
import { acceptedEncoding, contentCodings, type ContentEncoding } from './compression.ts'
import { failureResponse, statusText } from './failures.ts'
import { apiHeaders, jsonType, textType } from './headers.ts'
import { sendDownload } from './send-download.ts'
import { sendFile } from './send-file.ts'
import { readFirstChunk, discardChunks, sendChunks } from './send-chunks.ts'
import { withFirstChunk } from './write-bytes.ts'

/**
 * The minimum size of a body that is compressed: 1 KiB. For smaller bodies, compression takes more time than it saves.
 */
const minCompressedBytes = 1024
const offeredEncodings: readonly ContentEncoding[] = ['zstd', 'br', 'gzip']

const noHeaders: ResponseHeaders = {}
const jsonHeaders: ResponseHeaders = { ...apiHeaders, 'content-type': jsonType, vary: 'accept-encoding' }

/** Sends the response of an operation. Returns undefined when the whole response was sent synchronously. */
export function sendResponse(exchange: HttpExchange, result: RouteResponse): Promise<void> | undefined {
  if (exchange.lifetime.abortReason() !== null) return discardResponse(result)
  const status = result.status ?? 200
  const operationHeaders = headersOfOperation(exchange, result)
  if (result.kind === 'json' || result.kind === 'json-text') {
    const headers = operationHeaders === noHeaders ? jsonHeaders : { ...jsonHeaders, ...operationHeaders }
    const body = result.kind === 'json' ? JSON.stringify(result.json) : result.text
    const whole = { status, headers, body }
    const encoding = whole.body.length < minCompressedBytes ? null : encodingFor(exchange)
    if (encoding !== null) return sendCompressed(exchange, { ...whole, encoding })
    holdLargeBody(exchange, body)
    return sendWhole(exchange, whole)
  }
  const textHeaders: ResponseHeaders = { ...apiHeaders, 'content-type': textType, ...operationHeaders }
  switch (result.kind) {
    case 'status':
      return sendWhole(exchange, { status, headers: textHeaders, body: statusText(status) })
    case 'text':
      holdLargeBody(exchange, result.text)
      return sendWhole(exchange, { status, headers: textHeaders, body: result.text })
    case 'stream':
      return streamChunks(exchange, { result, status, headers: textHeaders })
    case 'download':
      return sendDownload(exchange, { result, headers: operationHeaders })
    default:
      return sendFile(exchange, {
        file: result.file,
        isInline: result.isInline,
        type: result.type,
        beforeBytes: result.beforeBytes,
        headers: operationHeaders,
      })
  }
}

/**
 * Sends the failure response for a thrown value, and returns its status for the log. When a response has already been
 * started, its connection is closed instead.
 */
export function sendFailure(exchange: HttpExchange, thrown: unknown): number {
  const { response } = exchange
  const { status, headers, text } = failureResponse(thrown, {
    requestId: exchange.id(),
    isSignedIn: exchange.caller !== null,
  })
  if (response.headersSent) {
    response.destroy()
    return status
  }
  const renewal: ResponseHeaders = exchange.shouldRenew ? { 'x-renew-token': 'true' } : {}
  sendWhole(exchange, { status, headers: { ...headers, ...renewal }, body: text })
  return status
}

/**
 * Closes the file or the stream of a response that will not be sent because its request was aborted. Always throws
 * `aborted`.
 */
async function discardResponse(result: RouteResponse): Promise<never> {
  if (result.kind === 'file') await result.file.close()
  if (result.kind === 'stream' || result.kind === 'download') await discardChunks(result.chunks)
  throw new AppError('aborted')
}

async function sendCompressed(
  exchange: HttpExchange,
  { status, headers, body, encoding }: WholeResponse & { readonly encoding: ContentEncoding },
): Promise<void> {
  const packed = await contentCodings[encoding].compress(Buffer.from(body))
  holdLargeBody(exchange, packed)
  sendWhole(exchange, { status, headers: { ...headers, 'content-encoding': encoding }, body: packed })
}

type StreamedResponse = {
  readonly result: RouteResponse & { readonly kind: 'stream' }
  readonly status: number
  readonly headers: ResponseHeaders
}

async function streamChunks(exchange: HttpExchange, streamed: StreamedResponse): Promise<void> {
  const { request, lifetime } = exchange
  const { status } = streamed
  const { chunks, contentType } = streamed.result
  const encoding = encodingFor(exchange)
  const headers: ResponseHeaders = {
    ...streamed.headers,
    'content-type': contentType,
    vary: 'accept-encoding',
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  }
  lifetime.becomeTransfer()
  if (request.method === 'HEAD') {
    await readFirstChunk(chunks)
    sendHead(exchange, { status, headers }).end()
    return
  }
  const startedChunks = await withFirstChunk(chunks)
  sendHead(exchange, { status, headers })
  await sendChunks(exchange, startedChunks, encoding)
}

/**
 * Chooses the encoding of a response. Returns null for clients on the same machine, because the loopback interface is
 * faster than any compression (docs/decisions, 10).
 */
const encodingFor = ({ client, header }: HttpExchange): ContentEncoding | null =>
  isLoopback(client.address) ? null : acceptedEncoding(header('accept-encoding'), offeredEncodings)

/**
 * Collects the headers and cookies that an operation returned. The header names are converted to lower case, so that no
 * header is sent twice.
 */
function headersOfOperation(
  { shouldRenew }: HttpExchange,
  { headers, cookies = [] }: RouteResponse,
): ResponseHeaders {
  if (!shouldRenew && headers === undefined && cookies.length === 0) return noHeaders
  const collected: Record<string, string | string[]> = shouldRenew ? { 'x-renew-token': 'true' } : {}
  for (const [name, value] of Object.entries(headers ?? {})) collected[name.toLowerCase()] = value
  if (cookies.length > 0) collected['set-cookie'] = [...cookies]
  return collected
}
