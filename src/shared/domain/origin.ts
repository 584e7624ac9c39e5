/**
 * Converts an origin to the form in which browsers send it: in lower case and without the default port. Null for a
 * string that is not exactly one origin.
 */
export function originOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text) || !URL.canParse(text)) return null
  return new URL(text).origin
}

/**
 * Returns the name or address in a host, without the port and without the dot that may end a full name. An IPv6 address
 * keeps its brackets. Null for text that is not a host.
 */
export const hostNameOf = (host: string): string | null =>
  URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? null
