import { bytesOfName } from '../../../shared/domain/name-bytes.ts'

/**
 * Writes the header `Content-Disposition`, with the name twice: an ASCII fallback that keeps the extension, and the
 * name itself percent-encoded as the original program does (contract 5.1).
 */
export const contentDisposition = (disposition: 'attachment' | 'inline', name: string): string =>
  isPlain.test(name)
    ? `${disposition}; filename="${name}"; filename*=utf-8''${name}`
    : `${disposition}; filename="${asciiName(name)}"; filename*=utf-8''${encodedName(name)}`

/** Matches names that are the same in both forms; most names are. */
const isPlain = /^[A-Za-z0-9_.~$&+:=@-]*$/

/**
 * The ASCII fallback of a name, for old clients: each character that is not ASCII, or that quoting would break, becomes
 * `_`.
 */
function asciiName(name: string): string {
  return Array.from(name, (character) => (/^[ !#-$&-.0-[\]-~]$/.test(character) ? character : '_')).join('')
}

/**
 * Percent-encodes a name except for letters, digits and `-_.~$&+:=@`. A name that is not UTF-8 is encoded by its bytes.
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
