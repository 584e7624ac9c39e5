/** A member of a tar file that a test makes. Bytes of names and numbers are written as they are. */
export type TarMember = {
  readonly name: string | Uint8Array
  readonly content?: string | Uint8Array
  /** The type of the member, `0` by default. */
  readonly type?: string
  readonly linkName?: string
  readonly mode?: number
  /** The time in seconds. Negative numbers are written in the binary form of GNU tar. */
  readonly seconds?: number
  /** The size that the header claims, when it is not that of the content. */
  readonly claimedBytes?: number
  /** Changes the finished header, before its checksum is computed. */
  readonly change?: (header: Buffer) => void
}

/** The two blocks of zeros at the end of a tar file. */
export const endOfTar: Buffer = Buffer.alloc(1024)

/** Makes a tar file of members, without the blocks at its end. */
export const tarMembers = (...members: readonly TarMember[]): Buffer =>
  Buffer.concat(members.flatMap((member) => [tarHeaderOf(member), padded(contentOf(member))]))

/** Makes a whole tar file. */
export const makeTar = (...members: readonly TarMember[]): Buffer =>
  Buffer.concat([tarMembers(...members), endOfTar])

/** Makes the member of a pax header with these records. */
export const paxHeader = (...records: readonly (readonly [key: string, value: string])[]): TarMember => ({
  name: 'pax',
  type: 'x',
  content: records.map(([key, value]) => paxRecord(key, value)).join(''),
})

function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`
  const length =
    [1, 2, 3, 4, 5, 6, 7, 8].find((digits) => String(rest.length + digits).length === digits) ?? 0
  return `${rest.length + length}${rest}`
}

const contentOf = ({ content = '' }: TarMember): Buffer => Buffer.from(content as Uint8Array)

/** Fills a content up to whole blocks. */
export const padded = (content: Uint8Array): Buffer => {
  const whole = Buffer.alloc(Math.ceil(content.length / 512) * 512)
  whole.set(content)
  return whole
}

function tarHeaderOf(member: TarMember): Buffer {
  const { name, type = '0', linkName = '', mode = 0o644, seconds = 1_700_000_000, change } = member
  const header = Buffer.alloc(512)
  header.set(Buffer.from(name as Uint8Array).subarray(0, 100), 0)
  writeTarNumber(header, 100, 8, mode)
  writeTarNumber(header, 124, 12, member.claimedBytes ?? contentOf(member).length)
  writeTarNumber(header, 136, 12, seconds)
  header.write(type, 156)
  header.write(linkName, 157)
  header.write('ustar  ', 257)
  change?.(header)
  header.fill(' ', 148, 156)
  let sum = 0
  for (const byte of header) sum += byte
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Writes a number as octal digits, or in the binary form of GNU tar when it is negative or too large. */
export function writeTarNumber(
  ...[header, at, length, number]: readonly [Buffer, number, number, number]
): void {
  if (number >= 0 && number < 8 ** (length - 1))
    header.write(number.toString(8).padStart(length - 1, '0'), at)
  else {
    const bits = BigInt.asUintN(length * 8 - 1, BigInt(number)) | (1n << BigInt(length * 8 - 1))
    header.write(bits.toString(16).padStart(length * 2, '0'), at, 'hex')
  }
}
