import type { OpenFile } from '../../storage/port.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'
import { Refusal } from './failures.ts'
import { sendHead, sendWhole, type Headers } from './leave.ts'
import { signatureBytes } from './media-types.ts'
import { judgePreconditions, rangeCounts, type Validators, type Verdict } from './preconditions.ts'
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
}

/** What of the file goes out: bytes that are there already, or such as are still to be read. */
type Body = Uint8Array | Reading
type Reading = { readonly sizeBytes: number; readonly pieces: () => AsyncIterable<string | Uint8Array> }

/** The answer, decided before its first byte is read. */
type Plan<B = Body> = { readonly status: 200 | 206 | 304; readonly headers: Headers; readonly body: B }

/**
 * Sends a file or what a range asks of it (RFC 9110 13 and 14), and closes it whatever happens. One that came with its bytes leaves at
 * once: nothing is open of it.
 */
export function sendFile(exchange: Exchange, sending: Sending): Promise<void> | undefined {
  const { whole } = sending.file
  if (whole === undefined) return sendOpen(exchange, sending)
  const verdict = verdictOn(exchange, sending)
  const head = isSniffed(sending, verdict) ? whole.subarray(0, signatureBytes) : noBytes
  return sendPlan(exchange, planOf(exchange, sending, { verdict, head }))
}

async function sendOpen(exchange: Exchange, sending: Sending): Promise<void> {
  const { file } = sending
  try {
    const verdict = verdictOn(exchange, sending)
    const head = isSniffed(sending, verdict) ? await headOf(file) : noBytes
    await sendPlan(exchange, planOf(exchange, sending, { verdict, head }))
  } finally {
    await file.close()
  }
}

type Judged = Exclude<Verdict, 'failed'>

function verdictOn({ header }: Exchange, { file }: Sending): Judged {
  refuseAsCode(header)
  const verdict = judgePreconditions(header, factsOf(file))
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  return verdict
}

/** Whether the first bytes count. */
const isSniffed = ({ isInline, type }: Sending, verdict: Judged): boolean =>
  isInline && type === undefined && verdict === 'go'

function planOf(
  exchange: Exchange,
  { file, isInline, headers, type }: Sending,
  { verdict, head }: { readonly verdict: Judged; readonly head: Uint8Array },
): Plan {
  const { header } = exchange
  const facts = factsOf(file)
  const { sizeBytes, modifiedMs, etag } = facts
  const told = {
    ...contentHeaders({ name: file.entry.name, isInline, head, made: type }),
    etag: `"${etag}"`,
    'last-modified': new Date(modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  }
  const content = withOthers(told, headers)
  if (verdict === 'not-modified') return { status: 304, headers: withoutContent(content), body: noBytes }
  const range = rangeCounts(header, facts) ? header('range') : undefined
  const asked = readRanges(exchange.request.method === 'GET' ? range : undefined, sizeBytes)
  if (asked.kind === 'unsatisfiable') {
    throw new Refusal('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  return bodyOf(file, asked, { boundary: exchange.id, headers: content })
}

/** The answer's own headers stand before those of the content, and change none of them, but may be stricter about keeping copies. */
function withOthers(content: Headers, others: Headers): Headers {
  if (Object.keys(others).length === 0) return content
  const { 'cache-control': keeping = content['cache-control'] ?? '' } = others
  return { ...others, ...content, 'cache-control': keeping }
}

/** The whole, one part, or a few parts one after the other. */
function bodyOf(
  file: OpenFile,
  asked: Exclude<Asked, { readonly kind: 'unsatisfiable' }>,
  { boundary, headers }: { readonly boundary: () => string; readonly headers: Headers },
): Plan {
  const { sizeBytes } = factsOf(file)
  if (asked.kind === 'whole') {
    return { status: 200, headers, body: file.whole ?? reading(file, { start: 0, end: sizeBytes }) }
  }
  const [first, ...others] = asked.parts
  if (first !== undefined && others.length === 0) {
    const partly = { ...headers, 'content-range': contentRange(first, sizeBytes) }
    const body = file.whole?.subarray(first.start, first.end) ?? reading(file, first)
    return { status: 206, headers: partly, body }
  }
  const type = String(headers['content-type'])
  const several = severalParts({ parts: asked.parts, sizeBytes, boundary: boundary(), type })
  return {
    status: 206,
    headers: { ...headers, 'content-type': several.type },
    body: { sizeBytes: several.sizeBytes, pieces: () => several.body((part) => file.bytes(part)) },
  }
}

const reading = (file: OpenFile, part: ByteRange): Reading => ({
  sizeBytes: part.end - part.start,
  pieces: () => file.bytes(part),
})

type Facts = Validators & { readonly sizeBytes: number }

/** What a link leads to is what is open. */
function factsOf({ entry }: OpenFile): Facts {
  const { sizeBytes, modifiedMs } = entry.target ?? entry
  return { sizeBytes, modifiedMs, etag: entry.etag }
}

async function headOf(file: OpenFile): Promise<Uint8Array> {
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

function sendPlan(exchange: Exchange, { status, headers, body }: Plan): Promise<void> | undefined {
  exchange.lifeline.becomeTransfer()
  if ('pieces' in body) return sendPieces(exchange, { status, headers, body })
  if (exchange.lifeline.cutBy() !== null) throw new AppError('aborted')
  return sendWhole(exchange, { status, headers, body })
}

/** The first bytes are read before the answer begins: what cannot be read is a failure, not a broken answer. */
async function sendPieces(
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
