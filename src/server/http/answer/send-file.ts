import type { OpenFile } from '../../storage/port.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import type { Exchange } from '../exchange.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'
import { Refusal } from './failures.ts'
import { signatureBytes } from './media-types.ts'
import { judgePreconditions, rangeCounts, type Validators } from './preconditions.ts'
import { readRanges, type ByteRange } from './ranges.ts'
import { finished, withFirst, writeBytes } from './write-bytes.ts'

/** A file to send, and how its answer leaves. */
export type Sending = {
  readonly file: OpenFile
  readonly isInline: boolean
  /** Headers beside those that the file itself decides. */
  readonly headers: Readonly<Record<string, string | string[]>>
  /** Takes the answer away from the framework: from here on it is ours to end. */
  readonly takeOver: () => void
}

/** What is sent of the file; an empty part where there is nothing to send (304). */
type Plan = {
  readonly status: 200 | 206 | 304
  readonly headers: Readonly<Record<string, string | number | string[]>>
  readonly part: ByteRange
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

async function planOf(exchange: Exchange, { file, isInline, headers }: Sending): Promise<Plan> {
  const { header } = exchange
  const { sizeBytes, ...validators } = factsOf(file)
  const verdict = judgePreconditions(header, validators)
  if (verdict === 'failed') throw new AppError('changed-meanwhile')
  const head = isInline && verdict === 'go' ? await headOf(file) : new Uint8Array()
  const content = {
    ...headers,
    ...contentHeaders({ name: file.entry.name, isInline, head }),
    etag: `"${validators.etag}"`,
    'last-modified': new Date(validators.modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  }
  if (verdict === 'not-modified')
    return { status: 304, headers: withoutContent(content), part: { start: 0, end: 0 } }
  const range = rangeCounts(header, validators) ? header('range') : undefined
  const asked = readRanges(exchange.request.method === 'GET' ? range : undefined, sizeBytes)
  if (asked.kind === 'unsatisfiable')
    throw new Refusal('bad-range', { 'content-range': `bytes */${sizeBytes}` })
  const [part] = asked.kind === 'parts' ? asked.parts : []
  if (asked.kind === 'whole' || part === undefined || asked.parts.length > 1) {
    const whole = { start: 0, end: sizeBytes }
    return { status: 200, headers: { ...content, 'content-length': sizeBytes }, part: whole }
  }
  const ranged = {
    'content-range': `bytes ${part.start}-${part.end - 1}/${sizeBytes}`,
    'content-length': part.end - part.start,
  }
  return { status: 206, headers: { ...content, ...ranged }, part }
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
function withoutContent(headers: Plan['headers']): Plan['headers'] {
  const { 'content-type': _type, 'content-disposition': _disposition, ...rest } = headers
  return rest
}

/** The first bytes are read before the answer begins: what cannot be read is a failure, not a broken answer. */
async function sendPlan(exchange: Exchange, { file, takeOver }: Sending, plan: Plan): Promise<void> {
  const { request, response } = exchange
  const { start, end } = plan.part
  const isRead = request.method !== 'HEAD' && end > start
  const bytes = isRead ? await withFirst(file.bytes(plan.part)) : nothing()
  if (exchange.lifeline.signal.aborted) throw new AppError('aborted')
  takeOver()
  response.socket?.setNoDelay(true)
  response.writeHead(plan.status, plan.headers)
  const writtenBytes = await writeBytes(exchange, bytes)
  if (isRead && writtenBytes < end - start) {
    throw new AppError('changed-meanwhile', { reason: 'the file has become shorter' })
  }
  await finished(response)
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
