import type { IncomingMessage } from 'node:http'

/** A request head with more characters than this counts as large. Browsers send far smaller heads. */
const largeChars = 16 * 1024

/** True when a head, with its path, query and cookies, is so large that parsing it would delay other requests. */
export function hasLargeHead({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): boolean {
  let chars = url.length
  for (const text of rawHeaders) chars += text.length
  return chars > largeChars
}
