import type { Exchange } from '../exchange.ts'
import type { RouteResponse } from '../route.ts'
import { madeHeaders, refuseAsCode } from './content-headers.ts'
import { withResponseHeaders } from './headers.ts'
import { sendHead, type ResponseHeaders } from './send-whole.ts'
import { noValidators } from './preconditions.ts'
import { requirePreconditions, planNotModified, sendPlan } from './send-bytes.ts'
import { discardPieces, sendPieces } from './send-pieces.ts'
import { withFirstPiece } from './write-bytes.ts'

export type SendDownloadOptions = {
  readonly response: RouteResponse & { readonly kind: 'download' }
  /** Headers in addition to those that depend on the content. */
  readonly headers: ResponseHeaders
}

/**
 * Sends a download that is produced while it is sent. The download is not compressed, because archives are either
 * compressed already or hardly compressible. It has no validators and no ranges, so only preconditions with `*` can be
 * met or fail.
 */
export async function sendDownload(
  exchange: Exchange,
  { response, headers }: SendDownloadOptions,
): Promise<void> {
  const { request, lifetime } = exchange
  const { pieces, name, contentType } = response
  refuseAsCode(exchange.header)
  const verdict = requirePreconditions(exchange.header, noValidators)
  const all = withResponseHeaders(madeHeaders({ name, contentType }), headers)
  if (verdict === 'not-modified') {
    await discardPieces(pieces)
    return sendPlan(exchange, planNotModified(all))
  }
  lifetime.becomeTransfer()
  if (request.method === 'HEAD') {
    await discardPieces(pieces)
    sendHead(exchange, { status: 200, headers: all }).end()
    return
  }
  const begun = await withFirstPiece(pieces)
  sendHead(exchange, { status: 200, headers: all })
  await sendPieces(exchange, begun, null)
}
