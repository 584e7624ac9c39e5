import { CallError } from '../../../api/call.ts'
import { decodeBeginning } from './decode-beginning.ts'
import type { ViewedFile } from '../viewer.ts'

/** The beginning of a text, and whether the file goes on after it. */
export type TextBeginning = { readonly text: string; readonly isCut: boolean }

/**
 * Reads at most `maxBytes` bytes of a text. A text that is cut ends with a whole line or, without one, with a whole character.
 * @throws CallError when the server refuses, and the `AbortError` of the signal.
 */
export async function loadTextBeginning(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
): Promise<TextBeginning> {
  // The server refuses a range of an empty file.
  if (sizeBytes === 0) return { text: '', isCut: false }
  // Browsers answer a range with the bytes that they have of an earlier, shorter version.
  const headers = { Range: `bytes=0-${maxBytes - 1}` }
  const response = await fetch(address, { headers, cache: 'no-store', signal })
  if (!response.ok) throw new CallError(response.status)
  const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, maxBytes)
  const isCut = sizeBytes > bytes.length
  const text = await decodeBeginning(bytes)
  const newline = text.lastIndexOf('\n')
  return { text: isCut && newline !== -1 ? text.slice(0, newline + 1) : text, isCut }
}
