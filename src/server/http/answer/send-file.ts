import type { OpenFile } from '../../storage/port.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'
import { Refusal } from './failures.ts'
import { signatureBytes } from './media-types.ts'
import { judgePreconditions, rangeCounts, type Validators } from './preconditions.ts'
import { readRanges, type Asked } from './ranges.ts'
import { contentRange, severalParts } from './several-parts.ts'
import { finished, withFirst, writeBytes } from './write-bytes.ts'

/** A file to send, and how its answer leaves. */
export type Sending = {
  readonly file: OpenFile
  readonly isInline: boolean
  /** Of what we made ourselves; otherwise the name and the first bytes decide. */
  readonly type?: string | undefined
  /** Headers beside those that the file itself decides. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Takes the answer away from the framework: from here on it is ours to end. */
  readonly takeOver: () => void
}

type Headers = Readonly<Record<string, string | number | string[]>>

/** The answer, decided before its first byte is read. */
type Plan = {
  readonly status: 200 | 206 | 304
  readonly headers: Headers
  readonly sizeBytes: number
  readonly body: () => AsyncIterable<string | Uint8Array>
}

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
  const head = isInline && type === undefined && verdict === 'go' ? await headOf(file) : new Uint8Array()
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
    return { status: 304, headers: withoutContent(content), sizeBytes: 0, body: nothing }
  }
  const range = rangeCounts(header, validators) ? header('range') : undefined
  const asked = readRanges(exchange.request.method === 'GET' ? range : undefined, sizeBytes)
  if (asked.kind === 'unsatisfiable') {
    throw new Refusal('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  }
  const { headers: more, ...shape } = bodyOf(file, asked, {
    boundary: exchange.id,
    type: userHeaders['content-type'] ?? '',
  })
  return { ...shape, headers: { ...content, ...more, 'content-length': shape.sizeBytes } }
}

/** The whole, one part, or a few parts one after the other. */
function bodyOf(
  file: OpenFile,
  asked: Exclude<Asked, { readonly kind: 'unsatisfiable' }>,
  { boundary, type }: { readonly boundary: () => string; readonly type: string },
): Plan {
  const { sizeBytes } = factsOf(file)
  if (asked.kind === 'whole') {
    return { status: 200, headers: {}, sizeBytes, body: () => file.bytes({ start: 0, end: sizeBytes }) }
  }
  const [first, ...others] = asked.parts
  if (first !== undefined && others.length === 0) {
    const headers = { 'content-range': contentRange(first, sizeBytes) }
    return { status: 206, headers, sizeBytes: first.end - first.start, body: () => file.bytes(first) }
  }
  const several = severalParts({ parts: asked.parts, sizeBytes, boundary: boundary(), type })
  return {
    status: 206,
    headers: { 'content-type': several.type },
    sizeBytes: several.sizeBytes,
    body: () => several.body((part) => file.bytes(part)),
  }
}

/** What a link leads to is what is open. */
function factsOf({ entry }: OpenFile): Validators & { readonly sizeBytes: number } {
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

/** The first bytes are read before the answer begins: what cannot be read is a failure, not a broken answer. */
async function sendPlan(exchange: Exchange, { takeOver }: Sending, plan: Plan): Promise<void> {
  const { request, response } = exchange
  const isRead = request.method !== 'HEAD' && plan.sizeBytes > 0
  const bytes = isRead ? await withFirst(plan.body()) : nothing()
  if (exchange.lifeline.cutBy() !== null) throw new AppError('aborted')
  takeOver()
  response.writeHead(plan.status, plan.headers)
  const writtenBytes = await writeBytes(exchange, bytes)
  if (isRead && writtenBytes < plan.sizeBytes) {
    throw new AppError('changed-meanwhile', { reason: 'the file has become shorter' })
  }
  await finished(response)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
