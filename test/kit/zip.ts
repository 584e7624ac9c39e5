import { crc32, deflateRawSync } from 'node:zlib'

/** A file of a ZIP archive that a test makes. */
export type ZipFile = {
  readonly name: string | Uint8Array
  readonly content: string | Uint8Array
  /** True leaves the content uncompressed. */
  readonly isStored?: boolean
  /** The size that the archive claims, when it is not the true one. */
  readonly claimedBytes?: number
  readonly isEncrypted?: boolean
  /** The method that the archive claims. */
  readonly method?: number
  /** True leaves out the flag that declares the name as UTF-8. */
  readonly isLegacyName?: boolean
  /** The system that made the archive, 0 for MS-DOS by default, and the mode of the file on Unix. */
  readonly system?: number
  readonly unixMode?: number
  /** Extra fields of the member in the directory. */
  readonly extra?: Uint8Array
}

export type ZipOptions = {
  /** True writes the sizes and offsets in the form for archives of more than 4 GiB. */
  readonly isZip64?: boolean
  /** Bytes in front of the archive, such as a program that unpacks it. */
  readonly prefix?: Uint8Array
  readonly comment?: string
  /** Bytes after the archive. */
  readonly suffix?: Uint8Array
  /** The number of members that the archive claims. */
  readonly claimedCount?: number
}

/** Makes a ZIP archive. It may claim sizes and methods that are not true. */
export function makeZip(
  files: readonly ZipFile[],
  {
    isZip64 = false,
    prefix = Buffer.alloc(0),
    comment = '',
    suffix = Buffer.alloc(0),
    claimedCount,
  }: ZipOptions = {},
): Buffer {
  const contents: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  const packedOf = createPacker()
  for (const file of files) {
    const { content, crc, packed } = packedOf(file.content)
    const stored = file.isStored === true ? content : packed()
    const name = Buffer.from(file.name as Uint8Array)
    const fields = {
      flags: (file.isLegacyName === true ? 0 : 0x800) | (file.isEncrypted === true ? 1 : 0),
      method: file.method ?? (file.isStored === true ? 0 : 8),
      crc,
      storedBytes: stored.length,
      sizeBytes: file.claimedBytes ?? content.length,
      nameBytes: name.length,
    }
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x0403_4b50, 0)
    writeFields(header.subarray(4), fields)
    contents.push(header, name, stored)
    directory.push(directoryEntry({ file, fields, name, offset, isZip64 }))
    offset += header.length + name.length + stored.length
  }
  const directoryBytes = directory.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([
    prefix,
    ...contents,
    ...directory,
    ...(isZip64 ? zip64Records(files.length, directoryBytes, offset) : []),
    endRecord({ count: claimedCount ?? files.length, directoryBytes, offset, isZip64, comment }),
    suffix,
  ])
}

/** The content of a file. `packed` compresses it when it is called first. */
function packOf(text: string | Uint8Array) {
  const content = Buffer.from(text as Uint8Array)
  let packed: Buffer | null = null
  return { content, crc: crc32(content), packed: () => (packed ??= deflateRawSync(content)) }
}

/** Creates a function that returns what `packOf` returns, once for a content that many files have in common. */
function createPacker(): typeof packOf {
  const known = new Map<string | Uint8Array, ReturnType<typeof packOf>>()
  return (text) => {
    const result = known.get(text) ?? packOf(text)
    known.set(text, result)
    return result
  }
}

type EntryFields = {
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly storedBytes: number
  readonly sizeBytes: number
  readonly nameBytes: number
}

/** Writes the fields that the header of an entry and the directory have in common. */
function writeFields(target: Buffer, fields: EntryFields): void {
  target.writeUInt16LE(20, 0)
  target.writeUInt16LE(fields.flags, 2)
  target.writeUInt16LE(fields.method, 4)
  target.writeUInt32LE(fields.crc, 10)
  target.writeUInt32LE(fields.storedBytes, 14)
  target.writeUInt32LE(fields.sizeBytes, 18)
  target.writeUInt16LE(fields.nameBytes, 22)
}

type DirectoryEntryOptions = {
  readonly file: ZipFile
  readonly fields: EntryFields
  readonly name: Buffer
  readonly offset: number
  readonly isZip64: boolean
}

function directoryEntry({ file, fields, name, offset, isZip64 }: DirectoryEntryOptions): Buffer {
  const entry = Buffer.alloc(46)
  entry.writeUInt32LE(0x0201_4b50, 0)
  entry.writeUInt8(file.system ?? 0, 5)
  entry.writeUInt16LE(file.unixMode ?? 0, 40)
  writeFields(entry.subarray(6), fields)
  if (!isZip64) {
    entry.writeUInt32LE(offset, 42)
    entry.writeUInt16LE(file.extra?.length ?? 0, 30)
    return Buffer.concat([entry, name, file.extra ?? Buffer.alloc(0)])
  }
  // The fields of 32 bits are filled, so that the true values are in an extra field of 64 bits each.
  for (const at of [20, 24, 42]) entry.writeUInt32LE(0xffff_ffff, at)
  const extra = Buffer.alloc(28)
  extra.writeUInt16LE(1, 0)
  extra.writeUInt16LE(24, 2)
  extra.writeBigUInt64LE(BigInt(fields.sizeBytes), 4)
  extra.writeBigUInt64LE(BigInt(fields.storedBytes), 12)
  extra.writeBigUInt64LE(BigInt(offset), 20)
  entry.writeUInt16LE(extra.length, 30)
  return Buffer.concat([entry, name, extra])
}

function zip64Records(count: number, directoryBytes: number, offset: number): readonly Buffer[] {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(0x0606_4b50, 0)
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(directoryBytes), 40)
  record.writeBigUInt64LE(BigInt(offset), 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(0x0706_4b50, 0)
  locator.writeBigUInt64LE(BigInt(offset + directoryBytes), 8)
  locator.writeUInt32LE(1, 16)
  return [record, locator]
}

type EndRecordOptions = {
  readonly count: number
  readonly directoryBytes: number
  readonly offset: number
  readonly isZip64: boolean
  readonly comment: string
}

function endRecord({ count, directoryBytes, offset, isZip64, comment }: EndRecordOptions): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x0605_4b50, 0)
  record.writeUInt16LE(isZip64 ? 0xffff : count, 8)
  record.writeUInt16LE(isZip64 ? 0xffff : count, 10)
  record.writeUInt32LE(isZip64 ? 0xffff_ffff : directoryBytes, 12)
  record.writeUInt32LE(isZip64 ? 0xffff_ffff : offset, 16)
  record.writeUInt16LE(comment.length, 20)
  return Buffer.concat([record, Buffer.from(comment)])
}
