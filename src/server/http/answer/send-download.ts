import type { Exchange } from '../exchange.ts'
import type { Answer } from '../route.ts'
import { madeHeaders, refuseAsCode } from './content-headers.ts'
import { withOthers } from './headers.ts'
import { sendHead, type Headers } from './leave.ts'
import { noValidators } from './preconditions.ts'
import { judge, planUnchanged, sendPlan } from './send-bytes.ts'
import { discard, sendPieces } from './send-pieces.ts'
import { withFirst } from './write-bytes.ts'

export type Download = {
  readonly answer: Answer & { readonly kind: 'download' }
  /** Headers beside those that the content decides. */
  readonly headers: Headers
}

/**
 * Sends bytes that are made while they are sent. They are compressed already, or not worth it: nothing is encoded. They have no validators
 * and no ranges: of the preconditions only those hold that are about whether there is something.
 */
export async function sendDownload(exchange: Exchange, { answer, headers }: Download): Promise<void> {
  const { request, lifeline } = exchange
  const { pieces, name, contentType } = answer
  refuseAsCode(exchange.header)
  const verdict = judge(exchange.header, noValidators)
  const all = withOthers(madeHeaders({ name, contentType }), headers)
  if (verdict === 'not-modified') {
    await discard(pieces)
    return sendPlan(exchange, planUnchanged(all))
  }
  lifeline.becomeTransfer()
  if (request.method === 'HEAD') {
    await discard(pieces)
    sendHead(exchange, { status: 200, headers: all }).end()
    return
  }
  const begun = await withFirst(pieces)
  sendHead(exchange, { status: 200, headers: all })
  await sendPieces(exchange, begun, null)
}
