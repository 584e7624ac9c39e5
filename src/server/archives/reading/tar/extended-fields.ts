import { AppError } from '../../../../shared/domain/failure.ts'
import type { ByteReservation } from '../../../concurrency/byte-budget.ts'
import { createPeak } from '../packed/archive-memory.ts'
import type { ByteCursor } from '../packed/byte-cursor.ts'
import { tarPaddingOf, type TarHeader } from './tar-fields.ts'

/** Values of extended headers, by the keys of pax. A sparse file has several values with the same key. */
export type ExtendedFields = ReadonlyMap<string, readonly Buffer[]>

/** The types of extended headers: those of pax for the next member and for all, and the long names of GNU tar. */
const extendedTypes = ['x', 'X', 'g', 'L', 'K']

/** Returns true for an extended header, and false for the header of a member. */
export const isExtendedHeader = ({ type }: TarHeader): boolean => extendedTypes.includes(type)

/** The keys that are used. All others are dropped, so that they take no memory. */
const usedKeys: ReadonlySet<string> = new Set([
  'path',
  'linkpath',
  'size',
  'mtime',
  ...['major', 'minor', 'name', 'realsize', 'size', 'map', 'offset', 'numbytes'].map(
    (key) => `GNU.sparse.${key}`,
  ),
])

/** The keys of a sparse map of the oldest version, whose values come once for each part of the file. */
const repeatedKeys: ReadonlySet<string> = new Set(['GNU.sparse.offset', 'GNU.sparse.numbytes'])

/** The maximum size in bytes of an extended header, which is read as a whole, and of all of them in one archive. */
const maxExtendedBytes = 1024 * 1024
const maxTotalExtendedBytes = 256 * 1024 * 1024
/** The maximum number of extended headers before one member. Programs write at most three. */
const maxHeadersInRow = 16

/** The bytes in memory for each byte of an extended header: a record of 24 bytes becomes a buffer of 130 bytes. */
const memoryFactor = 6

const blank = 0x20

/** Collects the extended headers before each member. */
export type FieldCollector = {
  /** Reads an extended header. */
  readonly add: (cursor: ByteCursor, header: TarHeader) => Promise<void>
  /** Returns the fields of the next member, and forgets those that are for this member only. */
  readonly take: () => ExtendedFields
}

export function createFieldCollector(memory: ByteReservation): FieldCollector {
  const keepHeader = createPeak(memory)
  let shared: ExtendedFields = new Map()
  let own: ExtendedFields = new Map()
  let headersInRow = 0
  let totalBytes = 0
  return {
    async add(cursor, header) {
      headersInRow += 1
      totalBytes += header.sizeBytes
      if (headersInRow > maxHeadersInRow || totalBytes > maxTotalExtendedBytes)
        throw new AppError('undecodable', { reason: 'the archive has too many headers' })
      if (header.sizeBytes <= maxExtendedBytes) keepHeader(header.sizeBytes * memoryFactor)
      const body = await readWhole(cursor, header)
      if (header.type === 'g') shared = new Map([...shared, ...parsePax(body)])
      else if (header.type === 'L') own = new Map([...own, ['path', [longName(body)]]])
      else if (header.type === 'K') own = new Map([...own, ['linkpath', [longName(body)]]])
      else own = new Map([...own, ...parsePax(body)])
    },
    take() {
      const fields = own.size === 0 ? shared : new Map([...shared, ...own])
      own = new Map()
      headersInRow = 0
      return fields
    },
  }
}

async function readWhole(cursor: ByteCursor, { sizeBytes }: TarHeader): Promise<Buffer> {
  if (sizeBytes > maxExtendedBytes) throw new AppError('undecodable', { reason: 'a header is too large' })
  const body = await cursor.read(sizeBytes)
  if (body.length < sizeBytes) throw new AppError('cut-off')
  await cursor.skipTo(cursor.position() + tarPaddingOf(sizeBytes))
  return body
}

function longName(body: Buffer): Buffer {
  const end = body.indexOf(0)
  return end === -1 ? body : body.subarray(0, end)
}

/** Parses the records of a pax header. Each record is its length in decimal, a blank, the key, `=`, the value and a line feed. */
function parsePax(body: Buffer): ExtendedFields {
  const fields = new Map<string, Buffer[]>()
  for (let at = 0; at < body.length;) {
    const length = Number.parseInt(body.toString('latin1', at, at + 20), 10)
    const record = body.subarray(body.indexOf(blank, at) + 1, at + length - 1)
    const equals = record.indexOf('=')
    if (!(length > 0) || equals === -1) throw new AppError('undecodable', { reason: 'a header is damaged' })
    const key = record.toString('latin1', 0, equals)
    if (usedKeys.has(key)) {
      const value = Buffer.from(record.subarray(equals + 1))
      const known = fields.get(key)
      if (known !== undefined && repeatedKeys.has(key)) known.push(value)
      else fields.set(key, [value])
    }
    at += length
  }
  return fields
}

/** Returns the text of a field, or undefined. */
export const fieldText = (fields: ExtendedFields, key: string): string | undefined =>
  fields.get(key)?.[0]?.toString('latin1')

/** Returns the number of a field, or undefined. */
export function fieldNumber(fields: ExtendedFields, key: string): number | undefined {
  const text = fieldText(fields, key)
  return text === undefined ? undefined : Number(text)
}
