/**
 * True for valid UTF-8. An incomplete last character is allowed, because the bytes may be the beginning of a longer
 * text.
 */
export function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}

/** Decodes UTF-8 that arrives in chunks; null stands for no chunks. Returns null, and reads no further, when the text has more characters than allowed. */
export async function readTextUpTo(
  mostCharacters: number,
  chunks: AsyncIterable<Uint8Array> | null,
): Promise<string | null> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > mostCharacters) return null
  }
  return text + decoder.decode()
}
