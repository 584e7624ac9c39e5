/** An origin as a browser sends it: in lower case, without the usual port. Null for a text that is none, or is more than one. */
export function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}
