import { bytesOfName } from '../../../shared/domain/name-bytes.ts'

/**
 * Formats the value of the header `Content-Disposition`. It contains the name twice: as an ASCII fallback that keeps
 * the extension, and percent-encoded as in File Browser (contract 5.1).
 */
export const contentDisposition = (disposition: 'attachment' | 'inline', name: string): string =>
  isPlain.test(name)
    ? `${disposition}; filename="${name}"; filename*=utf-8''${name}`
    : `${disposition}; filename="${asciiName(name)}"; filename*=utf-8''${encodedName(name)}`

/** Matches names whose ASCII fallback and percent-encoded form are identical, which is true for most names. */
const isPlain = /^[A-Za-z0-9_.~$&+:=@-]*$/

/**
 * Returns the ASCII fallback of a name for old clients. Each character that is not ASCII, or that old clients could
 * misinterpret inside quotation marks, is replaced by `_`.
 */
function asciiName(name: string): string {
  return Array.from(name, (character) => (/^[ !#-$&-.0-[\]-~]$/.test(character) ? character : '_')).join('')
}

/**
 * Percent-encodes all characters of a name except letters, digits and `-_.~$&+:=@`. For a name that is not UTF-8, the
 * bytes of the name on disk are encoded.
 */
function encodedName(name: string): string {
  const bytes = bytesOfName(name) ?? new TextEncoder().encode(name)
  return Array.from(bytes, encodedByte).join('')
}

function encodedByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/^[A-Za-z0-9_.~$&+:=@-]$/.test(character)) return character
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
