import type { ArchiveMember } from '../members/member.ts'
import { encodeMemberName } from '../members/member.ts'

/**
 * This file writes the headers of tar files (POSIX.1-2001, pax). Every member has the owner and group ID 0, and no
 * owner or group name.
 */

export const tarBlockBytes = 512
const nameBytes = 100
/** The maximum size in bytes that fits in eleven octal digits: 8 GiB minus one byte. */
const maxSizeBytes = 0o77777777777
const maxSeconds = 0o77777777777

/**
 * Returns the header of a member. If the name, size or time does not fit in the fields of a plain header, a pax header
 * precedes it.
 */
export function tarHeader(member: ArchiveMember): Buffer {
  const { bytes: name, isUtf8 } = encodeMemberName(member.kind === 'folder' ? `${member.name}/` : member.name)
  const seconds = Math.floor(member.modifiedMs / 1000)
  const fitsName = name.length <= nameBytes && isAscii(name)
  const fitsSize = member.sizeBytes <= maxSizeBytes
  const fitsTime = seconds >= 0 && seconds <= maxSeconds
  const header = plainHeader({
    name: fitsName ? name : asciiOf(name),
    mode: member.permissions,
    sizeBytes: fitsSize ? member.sizeBytes : 0,
    seconds: fitsTime ? seconds : 0,
    type: member.kind === 'folder' ? '5' : '0',
  })
  if (fitsName && fitsSize && fitsTime) return header
  const records = [
    ...(fitsName ? [] : [...(isUtf8 ? [] : [record('hdrcharset', 'BINARY')]), record('path', name)]),
    ...(fitsSize ? [] : [record('size', String(member.sizeBytes))]),
    ...(fitsTime ? [] : [record('mtime', String(seconds))]),
  ]
  const body = Buffer.concat(records)
  const pax = plainHeader({
    name: Buffer.from('PaxHeader'),
    mode: 0o644,
    sizeBytes: body.length,
    seconds: 0,
    type: 'x',
  })
  return Buffer.concat([pax, body, padding(body.length), header])
}

const zeros = Buffer.alloc(2 * tarBlockBytes)

/** Returns the zero bytes that fill up the last block of a file of the given size. */
export const padding = (sizeBytes: number): Buffer =>
  zeros.subarray(0, (tarBlockBytes - (sizeBytes % tarBlockBytes)) % tarBlockBytes)

/** Returns the end of a tar file: two empty blocks. */
export const tarEnd = (): Buffer => zeros

type TarHeaderFields = {
  readonly name: Buffer
  readonly mode: number
  readonly sizeBytes: number
  readonly seconds: number
  readonly type: '0' | '5' | 'x'
}

function plainHeader({ name, mode, sizeBytes, seconds, type }: TarHeaderFields): Buffer {
  const header = Buffer.allocUnsafe(tarBlockBytes)
  header.set(blankHeader)
  header.set(name)
  writeOctal(header, { number: mode, offset: 100, digits: 7 })
  writeOctal(header, { number: sizeBytes, offset: 124, digits: 11 })
  writeOctal(header, { number: seconds, offset: 136, digits: 11 })
  header[156] = type.charCodeAt(0)
  let sum = 0
  for (let at = 0; at < usedBytes; at += 1) sum += header[at] as number
  writeOctal(header, { number: sum, offset: 148, digits: 6 })
  header[154] = 0
  return header
}

/**
 * Number of bytes of a header up to the end of the last used field. The bytes after it are zero and do not affect the
 * checksum.
 */
const usedBytes = 344

/**
 * The bytes that all headers share: owner and group ID 0, and blanks in the checksum field, because the format defines
 * the checksum over a header with a blank checksum field.
 */
const blankHeader = Buffer.alloc(tarBlockBytes)
for (const at of [108, 116, 329, 337]) blankHeader.write('0'.repeat(7), at)
blankHeader.write(' '.repeat(8), 148)
blankHeader.write('ustar', 257)
blankHeader.write('00', 263)

type OctalField = { readonly number: number; readonly offset: number; readonly digits: number }

/**
 * Writes an octal number digit by digit. For 100,000 headers, number-to-string conversions would cost more than all
 * other work on the headers.
 */
function writeOctal(target: Uint8Array, { number, offset, digits }: OctalField): void {
  let rest = number
  for (let place = offset + digits - 1; place >= offset; place -= 1) {
    const above = Math.floor(rest / 8)
    target[place] = zeroDigit + (rest - above * 8)
    rest = above
  }
}

const zeroDigit = 0x30

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80)

/**
 * Returns the name that programs without pax support read. The name is cut to 100 bytes, and each byte that is not
 * ASCII is replaced by `_`.
 */
const asciiOf = (name: Buffer): Buffer =>
  Buffer.from(name.subarray(0, nameBytes).map((byte) => (byte < 0x80 ? byte : 0x5f)))

/** Returns a pax record, which begins with its own length in decimal, including the digits of that length. */
function record(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')])
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return Buffer.concat([Buffer.from(String(length)), rest])
}
