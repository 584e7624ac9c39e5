import type { IncomingMessage } from 'node:http'

/** The number of characters above which a request head counts as large: 16 Ki. Browsers send far smaller heads. */
export const largeHeadChars = 16 * 1024

/** The number of bytes of a request body that are buffered before the operation reads them. */
export const bodyBufferBytes = 256 * 1024

type RequestHead = Pick<IncomingMessage, 'url' | 'rawHeaders'>

/** Returns the number of characters of a request head, which includes the path, the query and the cookies. */
export function headCharsOf({ url = '', rawHeaders }: RequestHead): number {
  let chars = url.length
  for (const text of rawHeaders) chars += text.length
  return chars
}

/** True when a request head is so large that parsing it would delay other requests. */
export const hasLargeHead = (request: RequestHead): boolean => headCharsOf(request) > largeHeadChars
