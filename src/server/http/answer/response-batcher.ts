import type { ServerResponse } from 'node:http'

/** Ends a response whose head has been written, with its body, before the current turn of the event loop is over. */
export type EndResponse = (response: ServerResponse, body: string | Uint8Array) => void

/** The largest answer that is held back: 16 KiB, which the kernel takes in one write. */
export const smallAnswerBytes = 16 * 1024

/**
 * The largest body that is joined with its head in one string: 8 KiB. For larger bodies a gathered write of both is
 * cheaper.
 */
const textBytes = 8 * 1024

/**
 * The number of held answers after which all of them leave. A server that keeps up holds fewer after one poll of its
 * connections; 64 answers of 16 KiB take no more memory than one large answer.
 */
const maxPending = 64

/**
 * Creates a function that sends the small answers of one turn of the event loop together, after all requests that had
 * arrived have been answered (docs/decisions, 31). Large answers leave at once: sending their bytes costs more than
 * batching could save.
 */
export function createResponseBatcher(): EndResponse {
  let pending: PendingResponse[] = []

  function endAll(): void {
    const together = pending
    pending = []
    for (const { response, body } of together) end(response, body)
  }

  return (response, body) => {
    if (body.length > smallAnswerBytes) {
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

/** Presents each byte as one Latin-1 character. */
const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
