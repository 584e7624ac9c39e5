import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { FailureWithHeaders } from './failures.ts'
import { sendHead, sendWhole, type ResponseHeaders } from './send-whole.ts'
import { judgePreconditions, isRangeApplicable, type HeaderReader, type Validators } from './preconditions.ts'
import { readRanges, type RangeRequest, type ByteRange } from './ranges.ts'
import { contentRange, multipartBody } from './multipart.ts'
import { finishResponse, withFirstPiece, writeBytes } from './write-bytes.ts'

/** Bytes of known length, of which any range can be read. */
export type ByteSource = {
  readonly sizeBytes: number
  readonly validators: Validators
  /** All bytes, if they are already in memory. */
  readonly whole?: Uint8Array | undefined
  readonly bytes: (part: ByteRange) => AsyncIterable<Uint8Array>
}

/** The body of a planned answer: bytes in memory, or a stream that has not been read yet. */
type PlannedBody = Uint8Array | StreamBody
type StreamBody = { readonly sizeBytes: number; readonly pieces: () => AsyncIterable<string | Uint8Array> }

/** The status, headers and body of a response that has not been sent yet. */
export type ResponsePlan<B = PlannedBody> = {
  readonly status: 200 | 206 | 304
  readonly headers: ResponseHeaders
  readonly body: B
}

/** Evaluates the preconditions of a request for bytes. Throws `changed-meanwhile` when one of them is not met. */
export function requirePreconditions(header: HeaderReader, validators: Validators): 'go' | 'not-modified' {
  const verdict = judgePreconditions(header, validators)
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  return verdict
}

/** Plans a response with all bytes, or with the requested ranges (RFC 9110 14). */
export function planBytes(
  { request, header, id }: Exchange,
  source: ByteSource,
  headers: ResponseHeaders,
): ResponsePlan {
  const { sizeBytes, validators } = source
  const range = isRangeApplicable(header, validators) ? header('range') : undefined
  const requested = readRanges(request.method === 'GET' ? range : undefined, sizeBytes)
  if (requested.kind === 'unsatisfiable') {
    throw new FailureWithHeaders('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  return bodyOf(source, requested, { boundary: id, headers })
}

/**
 * Plans a 304 answer. It has the headers for validators and policy, but neither type nor name, because the type depends
 * on bytes that were not read.
 */
export function planNotModified(headers: ResponseHeaders): ResponsePlan<Uint8Array> {
  const { 'content-type': _type, 'content-disposition': _disposition, ...rest } = headers
  return { status: 304, headers: rest, body: noBytes }
}

/** Builds the body with all bytes, with one part, or with several parts one after the other. */
function bodyOf(
  source: ByteSource,
  requested: Exclude<RangeRequest, { readonly kind: 'unsatisfiable' }>,
  { boundary, headers }: { readonly boundary: () => string; readonly headers: ResponseHeaders },
): ResponsePlan {
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

/** Sends a planned answer. Bytes in memory are sent synchronously. */
export function sendPlan(
  exchange: Exchange,
  { status, headers, body }: ResponsePlan,
): Promise<void> | undefined {
  exchange.lifetime.becomeTransfer()
  if ('pieces' in body) return sendStream(exchange, { status, headers, body })
  if (exchange.lifetime.cutReason() !== null) throw new AppError('aborted')
  return sendWhole(exchange, { status, headers, body })
}

/**
 * Sends a stream. The first bytes are read before the head is sent, so that an unreadable file leads to a failure
 * status and not to an incomplete answer.
 */
async function sendStream(
  exchange: Exchange,
  { status, headers, body: { sizeBytes, pieces } }: ResponsePlan<StreamBody>,
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
