import type { IncomingMessage } from 'node:http'

/** Heads of browsers are far below. */
const largeChars = 16 * 1024

/** Whether reading a head, with its path, query and cookies, is work that others would wait for. */
export function isLarge({ url = '', rawHeaders }: Pick<IncomingMessage, 'url' | 'rawHeaders'>): boolean {
  let chars = url.length
  for (const text of rawHeaders) chars += text.length
  return chars > largeChars
}
