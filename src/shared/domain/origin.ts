/**
 * Converts an origin to the form in which browsers send it: in lower case and without the default port. Null for a
 * string that is not exactly one origin.
 */
export function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}
