/**
 * True for valid UTF-8. A last character that is cut off counts as valid, because the bytes may be the first part of a
 * longer text.
 */
export function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
