import { AppError } from '../../../shared/domain/failure.ts'
import { isLoopback } from '../request/client-address.ts'
import type { Exchange } from '../exchange.ts'
import type { Answer } from '../route.ts'
import { sendHead, sendWhole, type Headers, type Whole } from './leave.ts'
import { acceptedEncoding, compressions, type Encoding } from './compression.ts'
import { failureAnswer, statusText } from './failures.ts'
import { apiAnswer, jsonType, textType } from './headers.ts'
import { sendDownload } from './send-download.ts'
import { sendFile } from './send-file.ts'
import { beginOnly, discard, sendPieces } from './send-pieces.ts'
import { withFirst } from './write-bytes.ts'

/** Below this, compressing costs more than it saves. */
const worthBytes = 1024
const offered: readonly Encoding[] = ['zstd', 'br', 'gzip']

const noHeaders: Headers = {}
const jsonAnswer: Headers = { ...apiAnswer, 'content-type': jsonType, vary: 'accept-encoding' }

/** Sends what an operation answers; what is in one piece leaves at once. */
export function sendAnswer(exchange: Exchange, answer: Answer): Promise<void> | undefined {
  if (exchange.lifeline.cutBy() !== null) return refuse(answer)
  const status = answer.status ?? 200
  const own = ownHeaders(exchange, answer)
  if (answer.kind === 'json' || answer.kind === 'json-text') {
    const headers = own === noHeaders ? jsonAnswer : { ...jsonAnswer, ...own }
    const body = answer.kind === 'json' ? JSON.stringify(answer.json) : answer.text
    const whole = { status, headers, body }
    const encoding = whole.body.length < worthBytes ? null : encodingFor(exchange)
    if (encoding !== null) return sendCompressed(exchange, { ...whole, encoding })
    return sendWhole(exchange, whole)
  }
  const plain: Headers = { ...apiAnswer, 'content-type': textType, ...own }
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

/** Answers anything thrown; gives the status, for the log. What is already on its way is cut off instead. */
export function sendFailure(exchange: Exchange, thrown: unknown): number {
  const { response } = exchange
  const { status, headers, text } = failureAnswer(thrown, exchange.id())
  if (response.headersSent) {
    response.destroy()
    return status
  }
  const renewal: Headers = exchange.shouldRenew ? { 'x-renew-token': 'true' } : {}
  sendWhole(exchange, { status, headers: { ...headers, ...renewal }, body: text })
  return status
}

/** An answer that nobody waits for. */
async function refuse(answer: Answer): Promise<never> {
  if (answer.kind === 'file') await answer.file.close()
  if (answer.kind === 'pieces' || answer.kind === 'download') await discard(answer.pieces)
  throw new AppError('aborted')
}

async function sendCompressed(
  exchange: Exchange,
  { status, headers, body, encoding }: Whole & { readonly encoding: Encoding },
): Promise<void> {
  sendWhole(exchange, {
    status,
    headers: { ...headers, 'content-encoding': encoding },
    body: await compressions[encoding].whole(Buffer.from(body)),
  })
}

type Streamed = {
  readonly answer: Answer & { readonly kind: 'pieces' }
  readonly status: number
  readonly headers: Headers
}

async function streamPieces(exchange: Exchange, streamed: Streamed): Promise<void> {
  const { request, lifeline } = exchange
  const { status } = streamed
  const { pieces, contentType } = streamed.answer
  const encoding = encodingFor(exchange)
  const headers: Headers = {
    ...streamed.headers,
    'content-type': contentType,
    vary: 'accept-encoding',
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  }
  lifeline.becomeTransfer()
  if (request.method === 'HEAD') {
    await beginOnly(pieces)
    sendHead(exchange, { status, headers }).end()
    return
  }
  const begun = await withFirst(pieces)
  sendHead(exchange, { status, headers })
  await sendPieces(exchange, begun, encoding)
}

/** Nobody compresses for the same machine: its loopback is faster than any compression (docs/decisions). */
const encodingFor = ({ client, header }: Exchange): Encoding | null =>
  isLoopback(client.address) ? null : acceptedEncoding(header('accept-encoding'), offered)

/** Names in lower case, so that none goes out twice. */
function ownHeaders({ shouldRenew }: Exchange, { headers, cookies = [] }: Answer): Headers {
  if (!shouldRenew && headers === undefined && cookies.length === 0) return noHeaders
  const own: Record<string, string | string[]> = shouldRenew ? { 'x-renew-token': 'true' } : {}
  for (const [name, value] of Object.entries(headers ?? {})) own[name.toLowerCase()] = value
  if (cookies.length > 0) own['set-cookie'] = [...cookies]
  return own
}
