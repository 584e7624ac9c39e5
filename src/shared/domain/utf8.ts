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
