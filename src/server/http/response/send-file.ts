import type { OpenFile } from '../../storage/port.ts'
import type { HttpExchange } from '../exchange.ts'
import type { BeforeBytes } from '../route.ts'
import { contentHeaders, refuseAsCode } from './content-headers.ts'
import { withResponseHeaders } from './headers.ts'
import type { ResponseHeaders } from './send-whole.ts'
import { signatureBytes } from './media-types.ts'
import {
  requirePreconditions,
  planBytes,
  planNotModified,
  sendPlan,
  type ResponsePlan,
} from './send-bytes.ts'

/** A file to send, and the way in which the client presents it. */
export type SendFileOptions = {
  readonly file: OpenFile
  readonly isInline: boolean
  /**
   * The media type of bytes that the server generated. Without this field, the type is determined by the name and the
   * first bytes.
   */
  readonly type?: string | undefined
  readonly beforeBytes?: BeforeBytes | undefined
  /** Headers in addition to those that depend on the file. */
  readonly headers: ResponseHeaders
}

/**
 * Sends a file or the requested parts of it (RFC 9110 13 and 14). An open file is closed afterwards, also after an
 * error. A file whose bytes are already in memory is sent synchronously, because it has no open file descriptor.
 */
export function sendFile(exchange: HttpExchange, options: SendFileOptions): Promise<void> | undefined {
  const { file, beforeBytes } = options
  const { whole } = file
  if (whole === undefined || beforeBytes !== undefined) return sendOpenFile(exchange, options)
  const verdict = checkRequest(exchange, options)
  const head = isSniffed(options, verdict) ? whole.subarray(0, signatureBytes) : noBytes
  return sendPlan(exchange, planFile(exchange, options, { verdict, head }))
}

async function sendOpenFile(exchange: HttpExchange, options: SendFileOptions): Promise<void> {
  const { file } = options
  try {
    const verdict = checkRequest(exchange, options)
    const head = isSniffed(options, verdict) ? await headOf(file) : noBytes
    const plan = planFile(exchange, options, { verdict, head })
    if (exchange.request.method !== 'HEAD' && plan.status !== 304)
      await options.beforeBytes?.({ isFromStart: plan.isFromStart === true })
    await sendPlan(exchange, plan)
  } finally {
    await file.close()
  }
}

type PreconditionOutcome = ReturnType<typeof requirePreconditions>

function checkRequest({ header }: HttpExchange, { file }: SendFileOptions): PreconditionOutcome {
  refuseAsCode(header)
  return requirePreconditions(header, versionOf(file))
}

/** True when the media type of the response depends on the first bytes. */
const isSniffed = ({ isInline, type }: SendFileOptions, verdict: PreconditionOutcome): boolean =>
  isInline && type === undefined && verdict === 'go'

function planFile(
  exchange: HttpExchange,
  { file, isInline, headers, type }: SendFileOptions,
  { verdict, head }: { readonly verdict: PreconditionOutcome; readonly head: Uint8Array },
): ResponsePlan {
  const validators = versionOf(file)
  const { sizeBytes, modifiedMs, etag } = validators
  const fileHeaders = {
    ...contentHeaders({ name: file.entry.name, isInline, head, generatedType: type }),
    etag: `"${etag}"`,
    'last-modified': new Date(modifiedMs).toUTCString(),
    'accept-ranges': 'bytes',
  }
  const content = withResponseHeaders(fileHeaders, headers)
  if (verdict === 'not-modified') return planNotModified(content)
  const { whole } = file
  return planBytes(exchange, { sizeBytes, validators, whole, bytes: (part) => file.bytes(part) }, content)
}

type FileVersion = { readonly sizeBytes: number; readonly modifiedMs: number; readonly etag: string }

/**
 * Returns the version of the open file. For a link, this is the version of its target, because the target was opened.
 */
function versionOf({ entry }: OpenFile): FileVersion {
  const { sizeBytes, modifiedMs } = entry.target ?? entry
  return { sizeBytes, modifiedMs, etag: entry.etag }
}

async function headOf(file: OpenFile): Promise<Uint8Array> {
  const { sizeBytes } = versionOf(file)
  const chunks: Uint8Array[] = []
  for await (const chunk of file.bytes({ start: 0, end: Math.min(signatureBytes, sizeBytes) })) {
    chunks.push(chunk.slice())
  }
  return Buffer.concat(chunks)
}

const noBytes = new Uint8Array()
