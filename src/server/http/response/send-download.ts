import type { HttpExchange } from '../exchange.ts'
import type { RouteResponse } from '../route.ts'
import { generatedContentHeaders, refuseAsCode } from './content-headers.ts'
import { withResponseHeaders } from './headers.ts'
import { sendHead, type ResponseHeaders } from './send-whole.ts'
import { noValidators } from './preconditions.ts'
import { requirePreconditions, planNotModified, sendPlan } from './send-bytes.ts'
import { discardChunks, sendChunks } from './send-chunks.ts'
import { withFirstChunk } from './write-bytes.ts'

export type SendDownloadOptions = {
  readonly result: RouteResponse & { readonly kind: 'download' }
  /** Headers in addition to those that depend on the content. */
  readonly headers: ResponseHeaders
}

/**
 * Sends a download that is generated while it is sent. The download has no content encoding, because archives are
 * either compressed already or hardly compressible. It has no validators and no ranges, so only preconditions with `*`
 * have an effect.
 */
export async function sendDownload(
  exchange: HttpExchange,
  { result, headers }: SendDownloadOptions,
): Promise<void> {
  const { request, lifetime } = exchange
  const { chunks, name, contentType, beforeBytes } = result
  refuseAsCode(exchange.header)
  const verdict = requirePreconditions(exchange.header, noValidators)
  const all = withResponseHeaders(generatedContentHeaders({ name, contentType }), headers)
  if (verdict === 'not-modified') {
    await discardChunks(chunks)
    return sendPlan(exchange, planNotModified(all))
  }
  lifetime.becomeTransfer()
  if (request.method === 'HEAD') {
    await discardChunks(chunks)
    sendHead(exchange, { status: 200, headers: all }).end()
    return
  }
  try {
    await beforeBytes?.({ isFromStart: true })
  } catch (error) {
    await discardChunks(chunks)
    throw error
  }
  const startedChunks = await withFirstChunk(chunks)
  sendHead(exchange, { status: 200, headers: all })
  await sendChunks(exchange, startedChunks, null)
}
