import type { ServerResponse } from 'node:http'

/** Hands an answer whose head is written to the system, with its body, before the turn of the event loop is over. */
export type Depart = (response: ServerResponse, body: string | Uint8Array) => void

/** What the kernel takes at once. */
export const smallBytes = 16 * 1024

/** Up to here it is cheaper to make one text of head and bytes than to have the two gathered. */
const textBytes = 8 * 1024

/** More than come from one look at what has arrived, on a server that keeps up; and no more memory than a large answer. */
const mostWaiting = 64

/**
 * Has the small answers of one turn of the event loop leave one right after the other, when all that had arrived is answered
 * (docs/decisions, 31). Large ones leave at once: what their bytes cost is more than could be saved.
 */
export function createDeparture(): Depart {
  let waiting: Departing[] = []

  function departAll(): void {
    const together = waiting
    waiting = []
    for (const { response, body } of together) end(response, body)
  }

  return (response, body) => {
    if (body.length > smallBytes) {
      end(response, body)
      return
    }
    if (waiting.push({ response, body }) === 1) setImmediate(departAll)
    if (waiting.length === mostWaiting) departAll()
  }
}

type Departing = { readonly response: ServerResponse; readonly body: string | Uint8Array }

function end(response: ServerResponse, body: string | Uint8Array): void {
  if (typeof body === 'string' || body.length > textBytes) response.end(body)
  else response.end(latinOf(body), 'latin1')
}

/** Bytes as characters. */
const latinOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
