import type { ServerResponse } from 'node:http'

/**
 * Sends the body of a response whose head has been written, at the latest at the end of the current turn of the event
 * loop.
 */
export type ResponseEnder = (response: ServerResponse, body: string | Uint8Array) => void

/**
 * The maximum size of a response that is delayed to the end of the turn: 16 KiB, which the kernel accepts in one system
 * call.
 */
export const smallResponseBytes = 16 * 1024

/**
 * The maximum size of a body that is joined with its head in one string: 8 KiB. For larger bodies, it is faster to
 * write the head and the body as separate buffers.
 */
const joinedBodyBytes = 8 * 1024

/**
 * The maximum number of delayed responses. When it is reached, all of them are sent. A server that is not overloaded
 * delays fewer responses in one turn. 64 responses of 16 KiB take no more memory than one large response.
 */
const maxPending = 64

/**
 * Creates a function that sends all small responses of one turn of the event loop together at the end of the turn,
 * after all requests that arrived in the turn were processed (docs/decisions, 31). Large responses are sent
 * immediately, because sending their bytes takes more time than batching could save.
 */
export function createResponseBatcher(): ResponseEnder {
  let pending: { readonly response: ServerResponse; readonly body: string | Uint8Array }[] = []

  function endAll(): void {
    const batch = pending
    pending = []
    for (const { response, body } of batch) end(response, body)
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

function end(response: ServerResponse, body: string | Uint8Array): void {
  if (typeof body === 'string' || body.length > joinedBodyBytes) response.end(body)
  else response.end(latin1Of(body), 'latin1')
}

/** Decodes bytes as Latin-1, which has one character per byte. */
const latin1Of = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
