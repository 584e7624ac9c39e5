import { bytesOfName } from '../../../shared/domain/name-bytes.ts'

/**
 * `attachment` or `inline` with the name twice: an ASCII stand-in that keeps the extension, and the name itself percent-encoded as
 * the original does (contract 5.1).
 */
export const contentDisposition = (disposition: 'attachment' | 'inline', name: string): string =>
  isPlain.test(name)
    ? `${disposition}; filename="${name}"; filename*=utf-8''${name}`
    : `${disposition}; filename="${asciiName(name)}"; filename*=utf-8''${encodedName(name)}`

/** Most names are the same in both forms. */
const isPlain = /^[A-Za-z0-9_.~$&+:=@-]*$/

/** What old clients save it as: whatever is no plain ASCII, and what quoting would break, becomes `_`. */
function asciiName(name: string): string {
  return Array.from(name, (character) => (/^[ !#-$&-.0-[\]-~]$/.test(character) ? character : '_')).join('')
}

/** Leaves letters, digits and `-_.~$&+:=@` bare. A name of other bytes than UTF-8 is told by its bytes. */
function encodedName(name: string): string {
  const bytes = bytesOfName(name) ?? new TextEncoder().encode(name)
  return Array.from(bytes, encodedByte).join('')
}

function encodedByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/^[A-Za-z0-9_.~$&+:=@-]$/.test(character)) return character
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
