import { AppError } from '../../../shared/domain/failure.ts'
import type { HttpExchange } from '../exchange.ts'
import { FailureWithHeaders } from './failures.ts'
import { sendHead, sendWhole, type ResponseHeaders } from './send-whole.ts'
import {
  evaluatePreconditions,
  isRangeApplicable,
  type HeaderReader,
  type ContentValidators,
} from './preconditions.ts'
import { parseRanges, type RangeRequest, type ByteRange } from './ranges.ts'
import { contentRange, multipartBody } from './multipart.ts'
import { finishResponse, withFirstChunk, writeBytes } from './write-bytes.ts'

/** The content of a response: bytes of known length, from which any range can be read. */
export type ByteSource = {
  readonly sizeBytes: number
  readonly validators: ContentValidators
  /** The complete content, when it is already in memory. Otherwise the content is read with `bytes`. */
  readonly whole?: Uint8Array | undefined
  readonly bytes: (part: ByteRange) => AsyncIterable<Uint8Array>
}

/** The body of a planned response: bytes in memory, or a stream that has not been read yet. */
type PlannedBody = Uint8Array | StreamBody
type StreamBody = { readonly sizeBytes: number; readonly chunks: () => AsyncIterable<string | Uint8Array> }

/** A response that has not been sent yet. */
export type ResponsePlan<B = PlannedBody> = {
  readonly status: 200 | 206 | 304
  readonly headers: ResponseHeaders
  readonly body: B
  /** True when the body contains the first byte of the content. */
  readonly isFromStart?: boolean
}

/** Evaluates the preconditions of a request. Throws `changed-meanwhile` when a precondition is not met. */
export function requirePreconditions(
  header: HeaderReader,
  validators: ContentValidators,
): 'go' | 'not-modified' {
  const verdict = evaluatePreconditions(header, validators)
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  return verdict
}

/** Plans a response that contains all bytes, or only the requested ranges (RFC 9110 14). */
export function planBytes(
  { request, header, id }: HttpExchange,
  source: ByteSource,
  headers: ResponseHeaders,
): ResponsePlan {
  const { sizeBytes, validators } = source
  const range = isRangeApplicable(header, validators) ? header('range') : undefined
  const requested = parseRanges(request.method === 'GET' ? range : undefined, sizeBytes)
  if (requested.kind === 'unsatisfiable') {
    throw new FailureWithHeaders('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  return planBody(source, requested, { boundary: id, headers })
}

/**
 * Plans a response with status 304. It has the headers for the validators and the security policy. The headers for the
 * media type and the file name are omitted, because the type depends on bytes that were not read.
 */
export function planNotModified(headers: ResponseHeaders): ResponsePlan<Uint8Array> {
  const { 'content-type': _type, 'content-disposition': _disposition, ...rest } = headers
  return { status: 304, headers: rest, body: noBytes }
}

/** Plans a response with all bytes, with one part, or with several parts in a multipart body. */
function planBody(
  source: ByteSource,
  requested: Exclude<RangeRequest, { readonly kind: 'unsatisfiable' }>,
  { boundary, headers }: { readonly boundary: () => string; readonly headers: ResponseHeaders },
): ResponsePlan {
  const { sizeBytes, whole } = source
  if (requested.kind === 'whole') {
    const body = whole ?? streamOfPart(source, { start: 0, end: sizeBytes })
    return { status: 200, headers, body, isFromStart: true }
  }
  const [first, ...others] = requested.parts
  if (first !== undefined && others.length === 0) {
    const partHeaders = { ...headers, 'content-range': contentRange(first, sizeBytes) }
    const body = whole?.subarray(first.start, first.end) ?? streamOfPart(source, first)
    return { status: 206, headers: partHeaders, body, isFromStart: first.start === 0 }
  }
  const type = String(headers['content-type'])
  const multipart = multipartBody({ parts: requested.parts, sizeBytes, boundary: boundary(), type })
  return {
    status: 206,
    headers: { ...headers, 'content-type': multipart.type },
    body: { sizeBytes: multipart.sizeBytes, chunks: () => multipart.body((part) => source.bytes(part)) },
    isFromStart: requested.parts.some(({ start }) => start === 0),
  }
}

const streamOfPart = (source: ByteSource, part: ByteRange): StreamBody => ({
  sizeBytes: part.end - part.start,
  chunks: () => source.bytes(part),
})

/** Sends a planned response. Returns undefined when the body is in memory, because it is then sent synchronously. */
export function sendPlan(
  exchange: HttpExchange,
  { status, headers, body }: ResponsePlan,
): Promise<void> | undefined {
  exchange.lifetime.becomeTransfer()
  if ('chunks' in body) return sendStream(exchange, { status, headers, body })
  if (exchange.lifetime.abortReason() !== null) throw new AppError('aborted')
  return sendWhole(exchange, { status, headers, body })
}

/**
 * Sends a stream. The first chunk is read before the head is sent, so that an unreadable file leads to a failure status
 * and not to an incomplete response.
 */
async function sendStream(
  exchange: HttpExchange,
  { status, headers, body: { sizeBytes, chunks } }: ResponsePlan<StreamBody>,
): Promise<void> {
  const { request, response } = exchange
  const isRead = request.method !== 'HEAD' && sizeBytes > 0
  const bytes = isRead ? await withFirstChunk(chunks()) : emptyStream()
  if (exchange.lifetime.abortReason() !== null) throw new AppError('aborted')
  sendHead(exchange, { status, headers: { ...headers, 'content-length': String(sizeBytes) } })
  const writtenBytes = await writeBytes(exchange, bytes)
  if (isRead && writtenBytes < sizeBytes) {
    throw new AppError('changed-meanwhile', { reason: 'the file has become shorter' })
  }
  await finishResponse(response)
}

const noBytes = new Uint8Array()

async function* emptyStream(): AsyncGenerator<Uint8Array> {}
