import type { OpenFile } from '../../storage/port.ts'
import type { Exchange } from '../exchange.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'
import { withOthers } from './headers.ts'
import type { Headers } from './leave.ts'
import { signatureBytes } from './media-types.ts'
import { judge, planBytes, planUnchanged, sendPlan, type Plan } from './send-bytes.ts'

/** A file to send, and how its answer leaves. */
export type Sending = {
  readonly file: OpenFile
  readonly isInline: boolean
  /** Of what we made ourselves; otherwise the name and the first bytes decide. */
  readonly type?: string | undefined
  /** Headers beside those that the file itself decides. */
  readonly headers: Headers
}

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

type Judged = ReturnType<typeof judge>

function verdictOn({ header }: Exchange, { file }: Sending): Judged {
  refuseAsCode(header)
  return judge(header, factsOf(file))
}

/** Whether the first bytes count. */
const isSniffed = ({ isInline, type }: Sending, verdict: Judged): boolean =>
  isInline && type === undefined && verdict === 'go'

function planOf(
  exchange: Exchange,
  { file, isInline, headers, type }: Sending,
  { verdict, head }: { readonly verdict: Judged; readonly head: Uint8Array },
): Plan {
  const validators = factsOf(file)
  const { sizeBytes, modifiedMs, etag } = validators
  const told = {
    ...contentHeaders({ name: file.entry.name, isInline, head, made: type }),
    etag: `"${etag}"`,
    'last-modified': new Date(modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  }
  const content = withOthers(told, headers)
  if (verdict === 'not-modified') return planUnchanged(content)
  const { whole } = file
  return planBytes(exchange, { sizeBytes, validators, whole, bytes: (part) => file.bytes(part) }, content)
}

type Facts = { readonly sizeBytes: number; readonly modifiedMs: number; readonly etag: string }

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

const noBytes = new Uint8Array()
