import type { ServerResponse } from 'node:http'

/** Ends a response whose head has been written, by sending its body in the current turn of the event loop. */
export type ResponseEnder = (response: ServerResponse, body: string | Uint8Array) => void

/**
 * The maximum size of a response that is delayed to the end of the turn: 16 KiB, which the kernel accepts in one write.
 */
export const smallResponseBytes = 16 * 1024

/**
 * The maximum size of a body that is joined with its head in one string: 8 KiB. For larger bodies, writing head and
 * body as separate buffers is cheaper.
 */
const textBytes = 8 * 1024

/**
 * The number of delayed answers at which all of them are sent. A server that is not overloaded delays fewer answers in
 * one turn. 64 answers of 16 KiB take no more memory than one large answer.
 */
const maxPending = 64

/**
 * Creates a function that sends all small responses of one turn of the event loop together at its end, after the requests
 * that had arrived were processed (docs/decisions, 31). Large answers are sent immediately, because sending their bytes
 * takes more time than batching could save.
 */
export function createResponseBatcher(): ResponseEnder {
  let pending: PendingResponse[] = []

  function endAll(): void {
    const together = pending
    pending = []
    for (const { response, body } of together) end(response, body)
  }

  return (response, body) => {
    if (body.length > smallResponseBytes) {
      end(response, body)
      return
    }
    if (pending.push({ response, body }) === 1) setImmediate(endAll)
    if (pending.length === maxPending) endAll()
  }
}

type PendingResponse = { readonly response: ServerResponse; readonly body: string | Uint8Array }

function end(response: ServerResponse, body: string | Uint8Array): void {
  if (typeof body === 'string' || body.length > textBytes) response.end(body)
  else response.end(latin1Of(body), 'latin1')
}

/** Decodes bytes as Latin-1, with one character for each byte. */
const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
