import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { Refusal } from './failures.ts'
import { sendHead, sendWhole, type AnswerHeaders } from './send-whole.ts'
import { judgePreconditions, isRangeApplicable, type ReadHeader, type Validators } from './preconditions.ts'
import { readRanges, type RangeRequest, type ByteRange } from './ranges.ts'
import { contentRange, multipartBody } from './multipart.ts'
import { finishResponse, withFirstPiece, writeBytes } from './write-bytes.ts'

/** Bytes of a known length, of which any part can be sent. */
export type ByteSource = {
  readonly sizeBytes: number
  readonly validators: Validators
  /** All bytes, when they are in memory already. */
  readonly whole?: Uint8Array | undefined
  readonly bytes: (part: ByteRange) => AsyncIterable<Uint8Array>
}

/** The body of a planned answer: bytes in memory, or a stream that is still to be read. */
type PlannedBody = Uint8Array | StreamBody
type StreamBody = { readonly sizeBytes: number; readonly pieces: () => AsyncIterable<string | Uint8Array> }

/** An answer that has been decided on before its first byte is read. */
export type AnswerPlan<B = PlannedBody> = {
  readonly status: 200 | 206 | 304
  readonly headers: AnswerHeaders
  readonly body: B
}

/** Evaluates the preconditions of a request for bytes. Throws `changed-meanwhile` when one of them does not hold. */
export function requirePreconditions(header: ReadHeader, validators: Validators): 'go' | 'not-modified' {
  const verdict = judgePreconditions(header, validators)
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  return verdict
}

/** Plans an answer of all bytes, or of the parts that the request asks for (RFC 9110 14). */
export function planBytes(
  { request, header, id }: Exchange,
  source: ByteSource,
  headers: AnswerHeaders,
): AnswerPlan {
  const { sizeBytes, validators } = source
  const range = isRangeApplicable(header, validators) ? header('range') : undefined
  const requested = readRanges(request.method === 'GET' ? range : undefined, sizeBytes)
  if (requested.kind === 'unsatisfiable') {
    throw new Refusal('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  return bodyOf(source, requested, { boundary: id, headers })
}

/**
 * Plans the answer 304. It has validators and policy, but no type and no name, because the first bytes were not read
 * for it.
 */
export function planNotModified(headers: AnswerHeaders): AnswerPlan<Uint8Array> {
  const { 'content-type': _type, 'content-disposition': _disposition, ...rest } = headers
  return { status: 304, headers: rest, body: noBytes }
}

/** Builds the body of all bytes, of one part, or of a few parts one after the other. */
function bodyOf(
  source: ByteSource,
  requested: Exclude<RangeRequest, { readonly kind: 'unsatisfiable' }>,
  { boundary, headers }: { readonly boundary: () => string; readonly headers: AnswerHeaders },
): AnswerPlan {
  const { sizeBytes, whole } = source
  if (requested.kind === 'whole') {
    return { status: 200, headers, body: whole ?? streamOfPart(source, { start: 0, end: sizeBytes }) }
  }
  const [first, ...others] = requested.parts
  if (first !== undefined && others.length === 0) {
    const partly = { ...headers, 'content-range': contentRange(first, sizeBytes) }
    const body = whole?.subarray(first.start, first.end) ?? streamOfPart(source, first)
    return { status: 206, headers: partly, body }
  }
  const type = String(headers['content-type'])
  const multipart = multipartBody({ parts: requested.parts, sizeBytes, boundary: boundary(), type })
  return {
    status: 206,
    headers: { ...headers, 'content-type': multipart.type },
    body: { sizeBytes: multipart.sizeBytes, pieces: () => multipart.body((part) => source.bytes(part)) },
  }
}

const streamOfPart = (source: ByteSource, part: ByteRange): StreamBody => ({
  sizeBytes: part.end - part.start,
  pieces: () => source.bytes(part),
})

/** Sends a planned answer; bytes in memory are sent synchronously. */
export function sendPlan(
  exchange: Exchange,
  { status, headers, body }: AnswerPlan,
): Promise<void> | undefined {
  exchange.lifetime.becomeTransfer()
  if ('pieces' in body) return sendStream(exchange, { status, headers, body })
  if (exchange.lifetime.cutReason() !== null) throw new AppError('aborted')
  return sendWhole(exchange, { status, headers, body })
}

/**
 * Sends a stream. The first bytes are read before the head is sent, so that an unreadable file is answered as a failure
 * and not as a broken answer.
 */
async function sendStream(
  exchange: Exchange,
  { status, headers, body: { sizeBytes, pieces } }: AnswerPlan<StreamBody>,
): Promise<void> {
  const { request, response } = exchange
  const isRead = request.method !== 'HEAD' && sizeBytes > 0
  const bytes = isRead ? await withFirstPiece(pieces()) : nothing()
  if (exchange.lifetime.cutReason() !== null) throw new AppError('aborted')
  sendHead(exchange, { status, headers: { ...headers, 'content-length': String(sizeBytes) } })
  const writtenBytes = await writeBytes(exchange, bytes)
  if (isRead && writtenBytes < sizeBytes) {
    throw new AppError('changed-meanwhile', { reason: 'the file has become shorter' })
  }
  await finishResponse(response)
}

const noBytes = new Uint8Array()

async function* nothing(): AsyncGenerator<Uint8Array> {}
