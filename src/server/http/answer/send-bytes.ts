import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { Refusal } from './failures.ts'
import { sendHead, sendWhole, type Headers } from './leave.ts'
import { judgePreconditions, rangeCounts, type Header, type Validators } from './preconditions.ts'
import { readRanges, type Asked, type ByteRange } from './ranges.ts'
import { contentRange, severalParts } from './several-parts.ts'
import { finished, withFirst, writeBytes } from './write-bytes.ts'

/** Bytes of a known length, of which any part can be sent. */
export type Source = {
  readonly sizeBytes: number
  readonly validators: Validators
  /** All of them, where they are there already. */
  readonly whole?: Uint8Array | undefined
  readonly bytes: (part: ByteRange) => AsyncIterable<Uint8Array>
}

/** What goes out: bytes that are there already, or such as are still to be read. */
type Body = Uint8Array | Reading
type Reading = { readonly sizeBytes: number; readonly pieces: () => AsyncIterable<string | Uint8Array> }

/** The answer, decided before its first byte is read. */
export type Plan<B = Body> = {
  readonly status: 200 | 206 | 304
  readonly headers: Headers
  readonly body: B
}

/** The preconditions of a request for bytes; throws where one does not hold. */
export function judge(header: Header, validators: Validators): 'go' | 'not-modified' {
  const verdict = judgePreconditions(header, validators)
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  return verdict
}

/** The whole, or what a range asks for (RFC 9110 14), under the headers of the whole. */
export function planBytes({ request, header, id }: Exchange, source: Source, headers: Headers): Plan {
  const { sizeBytes, validators } = source
  const range = rangeCounts(header, validators) ? header('range') : undefined
  const asked = readRanges(request.method === 'GET' ? range : undefined, sizeBytes)
  if (asked.kind === 'unsatisfiable') {
    throw new Refusal('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  return bodyOf(source, asked, { boundary: id, headers })
}

/** The answer to who has it already: it tells validators and policy, not a type or a name that were not looked for. */
export function planUnchanged(headers: Headers): Plan<Uint8Array> {
  const { 'content-type': _type, 'content-disposition': _disposition, ...rest } = headers
  return { status: 304, headers: rest, body: noBytes }
}

/** The whole, one part, or a few parts one after the other. */
function bodyOf(
  source: Source,
  asked: Exclude<Asked, { readonly kind: 'unsatisfiable' }>,
  { boundary, headers }: { readonly boundary: () => string; readonly headers: Headers },
): Plan {
  const { sizeBytes, whole } = source
  if (asked.kind === 'whole') {
    return { status: 200, headers, body: whole ?? reading(source, { start: 0, end: sizeBytes }) }
  }
  const [first, ...others] = asked.parts
  if (first !== undefined && others.length === 0) {
    const partly = { ...headers, 'content-range': contentRange(first, sizeBytes) }
    const body = whole?.subarray(first.start, first.end) ?? reading(source, first)
    return { status: 206, headers: partly, body }
  }
  const type = String(headers['content-type'])
  const several = severalParts({ parts: asked.parts, sizeBytes, boundary: boundary(), type })
  return {
    status: 206,
    headers: { ...headers, 'content-type': several.type },
    body: { sizeBytes: several.sizeBytes, pieces: () => several.body((part) => source.bytes(part)) },
  }
}

const reading = (source: Source, part: ByteRange): Reading => ({
  sizeBytes: part.end - part.start,
  pieces: () => source.bytes(part),
})

/** What is there already leaves at once. */
export function sendPlan(exchange: Exchange, { status, headers, body }: Plan): Promise<void> | undefined {
  exchange.lifeline.becomeTransfer()
  if ('pieces' in body) return sendReading(exchange, { status, headers, body })
  if (exchange.lifeline.cutBy() !== null) throw new AppError('aborted')
  return sendWhole(exchange, { status, headers, body })
}

/** The first bytes are read before the answer begins: what cannot be read is a failure, not a broken answer. */
async function sendReading(
  exchange: Exchange,
  { status, headers, body: { sizeBytes, pieces } }: Plan<Reading>,
): Promise<void> {
  const { request, response } = exchange
  const isRead = request.method !== 'HEAD' && sizeBytes > 0
  const bytes = isRead ? await withFirst(pieces()) : nothing()
  if (exchange.lifeline.cutBy() !== null) throw new AppError('aborted')
  sendHead(exchange, { status, headers: { ...headers, 'content-length': String(sizeBytes) } })
  const writtenBytes = await writeBytes(exchange, bytes)
  if (isRead && writtenBytes < sizeBytes) {
    throw new AppError('changed-meanwhile', { reason: 'the file has become shorter' })
  }
  await finished(response)
}

const noBytes = new Uint8Array()

async function* nothing(): AsyncGenerator<Uint8Array> {}
