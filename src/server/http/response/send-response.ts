import { AppError } from '../../../shared/domain/failure.ts'
import { isLoopback } from '../request/client-address.ts'
import type { Exchange } from '../exchange.ts'
import type { RouteResponse } from '../route.ts'
import { sendHead, sendWhole, type ResponseHeaders, type WholeResponse } from './send-whole.ts'
import { acceptedEncoding, contentCodings, type Encoding } from './compression.ts'
import { failureResponse, statusText } from './failures.ts'
import { apiResponse, jsonType, textType } from './headers.ts'
import { sendDownload } from './send-download.ts'
import { sendFile } from './send-file.ts'
import { readFirstPiece, discardPieces, sendPieces } from './send-pieces.ts'
import { withFirstPiece } from './write-bytes.ts'

/** The minimum size of a body that is compressed. Below 1 KiB, compression takes more time than it saves. */
const minCompressedBytes = 1024
const offered: readonly Encoding[] = ['zstd', 'br', 'gzip']

const noHeaders: ResponseHeaders = {}
const jsonResponse: ResponseHeaders = { ...apiResponse, 'content-type': jsonType, vary: 'accept-encoding' }

/** Sends the response of an operation. Returns undefined when the response was complete and has been sent synchronously. */
export function sendResponse(exchange: Exchange, response: RouteResponse): Promise<void> | undefined {
  if (exchange.lifetime.cutReason() !== null) return discardResponse(response)
  const status = response.status ?? 200
  const own = ownHeaders(exchange, response)
  if (response.kind === 'json' || response.kind === 'json-text') {
    const headers = own === noHeaders ? jsonResponse : { ...jsonResponse, ...own }
    const body = response.kind === 'json' ? JSON.stringify(response.json) : response.text
    const whole = { status, headers, body }
    const encoding = whole.body.length < minCompressedBytes ? null : encodingFor(exchange)
    if (encoding !== null) return sendCompressed(exchange, { ...whole, encoding })
    return sendWhole(exchange, whole)
  }
  const plain: ResponseHeaders = { ...apiResponse, 'content-type': textType, ...own }
  switch (response.kind) {
    case 'status':
      return sendWhole(exchange, { status, headers: plain, body: statusText(status) })
    case 'text':
      return sendWhole(exchange, { status, headers: plain, body: response.text })
    case 'pieces':
      return streamPieces(exchange, { response, status, headers: plain })
    case 'download':
      return sendDownload(exchange, { response, headers: own })
    default:
      return sendFile(exchange, {
        file: response.file,
        isInline: response.isInline,
        type: response.type,
        headers: own,
      })
  }
}

/**
 * Answers a request whose operation has thrown, and returns the status for the log. If sending a response has already
 * begun, its connection is closed instead.
 */
export function sendFailure(exchange: Exchange, thrown: unknown): number {
  const { response } = exchange
  const { status, headers, text } = failureResponse(thrown, exchange.id())
  if (response.headersSent) {
    response.destroy()
    return status
  }
  const renewal: ResponseHeaders = exchange.shouldRenew ? { 'x-renew-token': 'true' } : {}
  sendWhole(exchange, { status, headers: { ...headers, ...renewal }, body: text })
  return status
}

/** Closes the file or the stream of a response whose request was aborted, and throws `aborted`. */
async function discardResponse(response: RouteResponse): Promise<never> {
  if (response.kind === 'file') await response.file.close()
  if (response.kind === 'pieces' || response.kind === 'download') await discardPieces(response.pieces)
  throw new AppError('aborted')
}

async function sendCompressed(
  exchange: Exchange,
  { status, headers, body, encoding }: WholeResponse & { readonly encoding: Encoding },
): Promise<void> {
  sendWhole(exchange, {
    status,
    headers: { ...headers, 'content-encoding': encoding },
    body: await contentCodings[encoding].whole(Buffer.from(body)),
  })
}

type StreamedResponse = {
  readonly response: RouteResponse & { readonly kind: 'pieces' }
  readonly status: number
  readonly headers: ResponseHeaders
}

async function streamPieces(exchange: Exchange, streamed: StreamedResponse): Promise<void> {
  const { request, lifetime } = exchange
  const { status } = streamed
  const { pieces, contentType } = streamed.response
  const encoding = encodingFor(exchange)
  const headers: ResponseHeaders = {
    ...streamed.headers,
    'content-type': contentType,
    vary: 'accept-encoding',
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  }
  lifetime.becomeTransfer()
  if (request.method === 'HEAD') {
    await readFirstPiece(pieces)
    sendHead(exchange, { status, headers }).end()
    return
  }
  const begun = await withFirstPiece(pieces)
  sendHead(exchange, { status, headers })
  await sendPieces(exchange, begun, encoding)
}

/**
 * Chooses the encoding of a response. Null for clients on the same machine, because the loopback interface is faster
 * than any compression (docs/decisions, 10).
 */
const encodingFor = ({ client, header }: Exchange): Encoding | null =>
  isLoopback(client.address) ? null : acceptedEncoding(header('accept-encoding'), offered)

/**
 * Collects the headers and cookies of an operation. The names are converted to lower case, so that no header is sent
 * twice.
 */
function ownHeaders({ shouldRenew }: Exchange, { headers, cookies = [] }: RouteResponse): ResponseHeaders {
  if (!shouldRenew && headers === undefined && cookies.length === 0) return noHeaders
  const own: Record<string, string | string[]> = shouldRenew ? { 'x-renew-token': 'true' } : {}
  for (const [name, value] of Object.entries(headers ?? {})) own[name.toLowerCase()] = value
  if (cookies.length > 0) own['set-cookie'] = [...cookies]
  return own
}
