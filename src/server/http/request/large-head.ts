import type { IncomingMessage } from 'node:http'

/** The number of characters above which a request head counts as large: 16 Ki. Browsers send far smaller heads. */
const largeHeadChars = 16 * 1024

/**
 * True when a request head, which includes the path, the query and the cookies, is so large that parsing it would delay
 * other requests.
 */
export function hasLargeHead({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): boolean {
  let chars = url.length
  for (const text of rawHeaders) chars += text.length
  return chars > largeHeadChars
}
