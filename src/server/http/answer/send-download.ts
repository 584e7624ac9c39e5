import type { Exchange } from '../exchange.ts'
import type { Answer } from '../route.ts'
import { madeHeaders, refuseAsCode } from './content-headers.ts'
import { sendHead, type Headers } from './leave.ts'
import { discard, sendPieces } from './send-pieces.ts'
import { withFirst } from './write-bytes.ts'

export type Download = {
  readonly answer: Answer & { readonly kind: 'download' }
  /** Headers beside those that the content decides. */
  readonly headers: Headers
}

/** Sends bytes that are made while they are sent. They are compressed already, or not worth it: nothing is encoded. */
export async function sendDownload(exchange: Exchange, { answer, headers }: Download): Promise<void> {
  const { request, lifeline } = exchange
  const { pieces, name, contentType } = answer
  refuseAsCode(exchange.header)
  const all = { ...headers, ...madeHeaders({ name, contentType }) }
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
