import { isUtf8 } from '../../../../shared/domain/utf8.ts'
import { decodeBeginning } from '../text/decode-beginning.ts'

/** The number of bytes at the beginning of a document in which it declares its encoding (HTML standard). */
const headBytes = 1024

/** The encoding that XML or HTML declares. */
const declaration =
  /<\?xml\b[^>]*\bencoding\s*=\s*["']([\w.:-]+)|<meta\b[^>]*\bcharset\s*=\s*["']?([\w.:-]+)/i

/**
 * Decodes a document of a book. Books should be in UTF-8 or UTF-16. In any other one, its own declaration counts, and without
 * a declaration the encoding in which it looks most like text of people.
 */
export async function decodeMarkup(bytes: Uint8Array): Promise<string> {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, headBytes))
  const [, inXml, label = inXml] = declaration.exec(head) ?? []
  const declared = label === undefined || isUtf8(bytes) ? null : decodeAs(label, bytes)
  return declared ?? decodeBeginning(bytes)
}

/** Decodes bytes in the encoding with a name. Returns null for a name that the browser does not know, and for UTF-8. */
function decodeAs(label: string, bytes: Uint8Array): string | null {
  try {
    const decoder = new TextDecoder(label)
    return decoder.encoding.startsWith('utf') ? null : decoder.decode(bytes)
  } catch {
    return null
  }
}
