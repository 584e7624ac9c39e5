import { decodePart } from '../decode-part.ts'

/**
 * A place in a book: the path of a file in the archive, and the id of an element. The id is empty for the beginning of
 * the file.
 */
export type BookAddress = { readonly path: string; readonly fragment: string }

/** The origin that the files of a book have while addresses are resolved. No server has it. */
const bookOrigin = 'https://book.invalid'

/** Resolves an address in a file of a book. Returns null for an address that leads out of the book. */
export function resolveInBook(fromPath: string, address: string): BookAddress | null {
  const from = fromPath.split('/').map(encodeURIComponent).join('/')
  const url = URL.parse(address, `${bookOrigin}/${from}`)
  if (url?.origin !== bookOrigin) return null
  return {
    path: url.pathname.slice(1).split('/').map(decodePart).join('/'),
    fragment: decodePart(url.hash.slice(1)),
  }
}
