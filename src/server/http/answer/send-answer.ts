import { AppError } from '../../../shared/domain/failure.ts'
import { isLoopback } from '../request/client-address.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../route.ts'
import { sendHead, sendWhole, type AnswerHeaders, type WholeAnswer } from './send-whole.ts'
import { acceptedEncoding, contentCodings, type Encoding } from './compression.ts'
import { failureAnswer, statusText } from './failures.ts'
import { apiAnswer, jsonType, textType } from './headers.ts'
import { sendDownload } from './send-download.ts'
import { sendFile } from './send-file.ts'
import { readFirstPiece, discardPieces, sendPieces } from './send-pieces.ts'
import { withFirstPiece } from './write-bytes.ts'

/** The minimum size of a body that is compressed. Below 1 KiB, compression takes more time than it saves. */
const minCompressedBytes = 1024
const offered: readonly Encoding[] = ['zstd', 'br', 'gzip']

const noHeaders: AnswerHeaders = {}
const jsonAnswer: AnswerHeaders = { ...apiAnswer, 'content-type': jsonType, vary: 'accept-encoding' }

/** Sends the answer of an operation. Returns undefined when the answer was complete and has been sent synchronously. */
export function sendAnswer(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  if (exchange.lifetime.cutReason() !== null) return discardAnswer(answer)
  const status = answer.status ?? 200
  const own = ownHeaders(exchange, answer)
  if (answer.kind === 'json' || answer.kind === 'json-text') {
    const headers = own === noHeaders ? jsonAnswer : { ...jsonAnswer, ...own }
    const body = answer.kind === 'json' ? JSON.stringify(answer.json) : answer.text
    const whole = { status, headers, body }
    const encoding = whole.body.length < minCompressedBytes ? null : encodingFor(exchange)
    if (encoding !== null) return sendCompressed(exchange, { ...whole, encoding })
    return sendWhole(exchange, whole)
  }
  const plain: AnswerHeaders = { ...apiAnswer, 'content-type': textType, ...own }
  switch (answer.kind) {
    case 'status':
      return sendWhole(exchange, { status, headers: plain, body: statusText(status) })
    case 'text':
      return sendWhole(exchange, { status, headers: plain, body: answer.text })
    case 'pieces':
      return streamPieces(exchange, { answer, status, headers: plain })
    case 'download':
      return sendDownload(exchange, { answer, headers: own })
    default:
      return sendFile(exchange, {
        file: answer.file,
        isInline: answer.isInline,
        type: answer.type,
        headers: own,
      })
  }
}

/**
 * Answers a request whose operation has thrown, and returns the status for the log. If sending an answer has already
 * begun, its connection is closed instead.
 */
export function sendFailure(exchange: Exchange, thrown: unknown): number {
  const { response } = exchange
  const { status, headers, text } = failureAnswer(thrown, exchange.id())
  if (response.headersSent) {
    response.destroy()
    return status
  }
  const renewal: AnswerHeaders = exchange.shouldRenew ? { 'x-renew-token': 'true' } : {}
  sendWhole(exchange, { status, headers: { ...headers, ...renewal }, body: text })
  return status
}

/** Closes the file or the stream of an answer whose request was aborted, and throws `aborted`. */
async function discardAnswer(answer: Answer): Promise<never> {
  if (answer.kind === 'file') await answer.file.close()
  if (answer.kind === 'pieces' || answer.kind === 'download') await discardPieces(answer.pieces)
  throw new AppError('aborted')
}

async function sendCompressed(
  exchange: Exchange,
  { status, headers, body, encoding }: WholeAnswer & { readonly encoding: Encoding },
): Promise<void> {
  sendWhole(exchange, {
    status,
    headers: { ...headers, 'content-encoding': encoding },
    body: await contentCodings[encoding].whole(Buffer.from(body)),
  })
}

type StreamedAnswer = {
  readonly answer: Answer & { readonly kind: 'pieces' }
  readonly status: number
  readonly headers: AnswerHeaders
}

async function streamPieces(exchange: Exchange, streamed: StreamedAnswer): Promise<void> {
  const { request, lifetime } = exchange
  const { status } = streamed
  const { pieces, contentType } = streamed.answer
  const encoding = encodingFor(exchange)
  const headers: AnswerHeaders = {
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
 * Chooses the encoding of an answer. Null for clients on the same machine, because the loopback interface is faster
 * than any compression (docs/decisions, 10).
 */
const encodingFor = ({ client, header }: Exchange): Encoding | null =>
  isLoopback(client.address) ? null : acceptedEncoding(header('accept-encoding'), offered)

/**
 * Collects the headers and cookies of an operation. The names are converted to lower case, so that no header is sent
 * twice.
 */
function ownHeaders({ shouldRenew }: Exchange, { headers, cookies = [] }: Answer): AnswerHeaders {
  if (!shouldRenew && headers === undefined && cookies.length === 0) return noHeaders
  const own: Record<string, string | string[]> = shouldRenew ? { 'x-renew-token': 'true' } : {}
  for (const [name, value] of Object.entries(headers ?? {})) own[name.toLowerCase()] = value
  if (cookies.length > 0) own['set-cookie'] = [...cookies]
  return own
}
