import type { FastifyReply } from 'fastify'
import type { OpenFile } from '../../storage/port.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'
import { Refusal } from './failures.ts'
import { sendWhole, takeOver, type Headers } from './leave.ts'
import { signatureBytes } from './media-types.ts'
import { judgePreconditions, rangeCounts, type Validators } from './preconditions.ts'
import { readRanges, type Asked, type ByteRange } from './ranges.ts'
import { contentRange, severalParts } from './several-parts.ts'
import { finished, withFirst, writeBytes } from './write-bytes.ts'

/** A file to send, and how its answer leaves. */
export type Sending = {
  readonly file: OpenFile
  readonly isInline: boolean
  /** Of what we made ourselves; otherwise the name and the first bytes decide. */
  readonly type?: string | undefined
  /** Headers beside those that the file itself decides. */
  readonly headers: Headers
  readonly reply: FastifyReply
}

/** What of the file goes out: bytes that are there already, or such as are still to be read. */
type Body = { readonly bytes: Uint8Array } | Reading
type Reading = { readonly sizeBytes: number; readonly pieces: () => AsyncIterable<string | Uint8Array> }

type Head = { readonly status: 200 | 206 | 304; readonly headers: Headers }

/** The answer, decided before its first byte is read. */
type Plan<B = Body> = Head & B

/** Sends a file or what a range asks of it (RFC 9110 13 and 14), and closes it whatever happens. */
export async function sendFile(exchange: Exchange, sending: Sending): Promise<void> {
  const { file } = sending
  try {
    refuseAsCode(exchange.header)
    const plan = await planOf(exchange, sending)
    exchange.lifeline.becomeTransfer()
    await sendPlan(exchange, sending, plan)
  } finally {
    await file.close()
  }
}

async function planOf(exchange: Exchange, { file, isInline, headers, type }: Sending): Promise<Plan> {
  const { header } = exchange
  const { sizeBytes, ...validators } = factsOf(file)
  const verdict = judgePreconditions(header, validators)
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  const head = isInline && type === undefined && verdict === 'go' ? await headOf(file) : noBytes
  const userHeaders = contentHeaders({ name: file.entry.name, isInline, head, made: type })
  const content = {
    ...headers,
    ...userHeaders,
    // The answer may be stricter about keeping copies; everything else of the content is decided in one place.
    ...(headers['cache-control'] === undefined ? {} : { 'cache-control': headers['cache-control'] }),
    etag: `"${validators.etag}"`,
    'last-modified': new Date(validators.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  }
  if (verdict === 'not-modified') {
    return { status: 304, headers: withoutContent(content), bytes: noBytes }
  }
  const range = rangeCounts(header, validators) ? header('range') : undefined
  const asked = readRanges(exchange.request.method === 'GET' ? range : undefined, sizeBytes)
  if (asked.kind === 'unsatisfiable') {
    throw new Refusal('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  const body = bodyOf(file, asked, { boundary: exchange.id, type: userHeaders['content-type'] ?? '' })
  Object.assign(content, body.headers)
  return { ...body, headers: content }
}

/** The whole, one part, or a few parts one after the other. */
function bodyOf(
  file: OpenFile,
  asked: Exclude<Asked, { readonly kind: 'unsatisfiable' }>,
  { boundary, type }: { readonly boundary: () => string; readonly type: string },
): Plan {
  const { sizeBytes } = factsOf(file)
  if (asked.kind === 'whole')
    return { status: 200, headers: {}, ...bytesOf(file, { start: 0, end: sizeBytes }) }
  const [first, ...others] = asked.parts
  if (first !== undefined && others.length === 0) {
    const headers = { 'content-range': contentRange(first, sizeBytes) }
    return { status: 206, headers, ...bytesOf(file, first) }
  }
  const several = severalParts({ parts: asked.parts, sizeBytes, boundary: boundary(), type })
  return {
    status: 206,
    headers: { 'content-type': several.type },
    sizeBytes: several.sizeBytes,
    pieces: () => several.body((part) => file.bytes(part)),
  }
}

const bytesOf = (file: OpenFile, part: ByteRange): Body =>
  file.whole === undefined
    ? { sizeBytes: part.end - part.start, pieces: () => file.bytes(part) }
    : { bytes: file.whole.subarray(part.start, part.end) }

/** What a link leads to is what is open. */
function factsOf({ entry }: OpenFile): Validators & { readonly sizeBytes: number } {
  const { sizeBytes, modifiedMs } = entry.target ?? entry
  return { sizeBytes, modifiedMs, etag: entry.etag }
}

async function headOf(file: OpenFile): Promise<Uint8Array> {
  if (file.whole !== undefined) return file.whole.subarray(0, signatureBytes)
  const { sizeBytes } = factsOf(file)
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: Math.min(signatureBytes, sizeBytes) })) {
    chunks.push(chunk.slice())
  }
  return Buffer.concat(chunks)
}

/** A 304 tells validators and policy, not a type or a name that were not looked for. */
function withoutContent(headers: Headers): Headers {
  const { 'content-type': _type, 'content-disposition': _disposition, ...rest } = headers
  return rest
}

async function sendPlan(exchange: Exchange, { reply }: Sending, plan: Plan): Promise<void> {
  if ('pieces' in plan) return sendPieces(exchange, reply, plan)
  if (exchange.lifeline.cutBy() !== null) throw new AppError('aborted')
  sendWhole(exchange, reply, { status: plan.status, headers: plan.headers, body: plan.bytes })
}

/** The first bytes are read before the answer begins: what cannot be read is a failure, not a broken answer. */
async function sendPieces(
  exchange: Exchange,
  reply: FastifyReply,
  { status, headers, sizeBytes, pieces }: Plan<Reading>,
): Promise<void> {
  const { request, response } = exchange
  const isRead = request.method !== 'HEAD' && sizeBytes > 0
  const bytes = isRead ? await withFirst(pieces()) : nothing()
  if (exchange.lifeline.cutBy() !== null) throw new AppError('aborted')
  takeOver(exchange, reply)
  response.writeHead(status, { ...headers, 'content-length': sizeBytes })
  const writtenBytes = await writeBytes(exchange, bytes)
  if (isRead && writtenBytes < sizeBytes) {
    throw new AppError('changed-meanwhile', { reason: 'the file has become shorter' })
  }
  await finished(response)
}

const noBytes = new Uint8Array()

async function* nothing(): AsyncGenerator<Uint8Array> {}
