import { parseInert } from '../../../api/trusted-sinks.ts'
import { CallError } from '../../../api/call.ts'
import { decodeText } from '../text/text-format.ts'
import { isTooComplexDrawing } from './drawing-cost.ts'
import { TooComplexError } from './too-complex-error.ts'

/** The largest drawing that is shown, in bytes. Maps and plans have some megabytes. */
const maxDrawingBytes = 20 * 1024 * 1024

/**
 * Loads a drawing (SVG), and returns a URL for an image, which has to be revoked. The image consists of exactly the text
 * that was checked, whatever encoding the file declares.
 * @throws TooComplexError, CallError when the server refuses, and the reason of the signal.
 */
export async function loadDrawing(address: string, signal: AbortSignal): Promise<string> {
  // Not as a range: browsers do not unpack a range of a compressed drawing.
  const response = await fetch(address, { signal })
  if (!response.ok) throw new CallError(response.status)
  const text = withoutHandlers(decodeText(await bytesOf(response)).text)
  if (hasNestedEntities.test(text)) throw new TooComplexError()
  if (isTooComplexDrawing(parseInert(text, 'application/xml'))) throw new TooComplexError()
  signal.throwIfAborted()
  return URL.createObjectURL(new Blob([text], { type: 'image/svg+xml;charset=utf-8' }))
}

/**
 * Reads the bytes of a drawing. A compressed drawing (svgz) may become a thousand times larger, so the reading ends at the
 * limit.
 * @throws TooComplexError for a drawing above the limit.
 */
async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.length
    if (length > maxDrawingBytes) {
      await reader?.cancel()
      throw new TooComplexError()
    }
    parts.push(part.value)
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** An entity whose text contains entities or elements. A few of them multiply to any size while the text is parsed. */
const hasNestedEntities = /<!ENTITY\s+[^>]*(["'])[^"']*[&<]/i

/** Renames the attributes with handlers. They do nothing in an image, and browsers would report them while the text is checked. */
const withoutHandlers = (text: string): string => text.replaceAll(/(\s)(on[a-z]+\s*=)/gi, '$1data-$2')
