import type { Member } from '../member.ts'
import { nameOnWire } from '../name-on-wire.ts'

/** Headers of a tar file (POSIX.1-2001, pax). Owners are 0:0 and have no names. */

export const tarBlockBytes = 512
const nameBytes = 100
/** Eleven octal digits. */
const largestSize = 0o77777777777
const largestSeconds = 0o77777777777

/** A member's header, with one of pax before it where name, size or time do not fit the old fields. */
export function tarHeader(member: Member): Buffer {
  const { bytes: name, isUtf8 } = nameOnWire(member.kind === 'folder' ? `${member.name}/` : member.name)
  const seconds = Math.floor(member.modifiedMs / 1000)
  const fitsName = name.length <= nameBytes && isAscii(name)
  const fitsSize = member.sizeBytes <= largestSize
  const fitsTime = seconds >= 0 && seconds <= largestSeconds
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

/** Zeros up to the next whole block. */
export const padding = (sizeBytes: number): Buffer =>
  Buffer.alloc((tarBlockBytes - (sizeBytes % tarBlockBytes)) % tarBlockBytes)

/** The end of a tar file: two empty blocks. */
export const tarEnd = (): Buffer => Buffer.alloc(2 * tarBlockBytes)

type Fields = {
  readonly name: Buffer
  readonly mode: number
  readonly sizeBytes: number
  readonly seconds: number
  readonly type: '0' | '5' | 'x'
}

function plainHeader({ name, mode, sizeBytes, seconds, type }: Fields): Buffer {
  const header = Buffer.alloc(tarBlockBytes)
  header.set(name, 0)
  header.write(octal(mode, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(sizeBytes, 11), 124)
  header.write(octal(seconds, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write(type, 156)
  header.write('ustar\0', 257)
  header.write('00', 263)
  header.write(octal(0, 7), 329)
  header.write(octal(0, 7), 337)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${octal(sum, 6)}\0 `, 148)
  return header
}

const octal = (number: number, digits: number): string => number.toString(8).padStart(digits, '0')

const isAscii = (bytes: Buffer): boolean => bytes.every((byte) => byte < 0x80)

/** What programs that know no pax see. */
const asciiOf = (name: Buffer): Buffer =>
  Buffer.from(name.subarray(0, nameBytes).map((byte) => (byte < 0x80 ? byte : 0x5f)))

/** A record of pax begins with its own length, in as many digits as that takes. */
function record(key: string, value: string | Buffer): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value), Buffer.from('\n')])
  let length = rest.length + 1
  while (String(length).length + rest.length !== length) length = String(length).length + rest.length
  return Buffer.concat([Buffer.from(String(length)), rest])
}
