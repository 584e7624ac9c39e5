/** Whether bytes are UTF-8; a last character that is cut off is forgiven, since they may be the first of more. */
export function isUtf8(head: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return true
  } catch {
    return false
  }
}
