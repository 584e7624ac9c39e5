import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../../shared/domain/failure.ts'
import { tarBlockBytes } from '../../tar/tar-header.ts'
import type { ByteCursor } from '../packed/byte-cursor.ts'
import { fieldNumber, fieldText, type ExtendedFields } from './extended-fields.ts'
import { numberField, tarSizeOf, type TarHeader } from './tar-fields.ts'

/** A part of a sparse file that the archive contains. All bytes between the parts are zero. */
type SparsePart = { readonly offset: number; readonly sizeBytes: number }

/** A sparse file: its size, and the parts that the archive contains. */
export type SparseMap = { readonly sizeBytes: number; readonly parts: readonly SparsePart[] }

/** The maximum number of parts. A map is in memory as a whole. */
const maxParts = 100_000
/** The bytes of a part in memory, with the numbers from which it is made. */
export const partBytes = 100

/** The entries of a map in the header of GNU tar, and in each of the blocks that continue it. */
const entriesInHeader = { start: 386, count: 4 }
const entriesInBlock = { start: 0, count: 21 }
const entryBytes = 24

/**
 * Reads the map of a sparse file: in the header (GNU tar), in the fields of pax (versions 0.0 and 0.1), or at the start of
 * the bytes (version 1.0). Returns null for a file that is not sparse.
 */
export async function readSparseMap(
  cursor: ByteCursor,
  header: TarHeader,
  fields: ExtendedFields,
): Promise<SparseMap | null> {
  if (header.type === 'S') return readGnuMap(cursor, header.block)
  const major = fieldText(fields, 'GNU.sparse.major') ?? '0'
  if (major === '1')
    return mapOf(fieldNumber(fields, 'GNU.sparse.realsize'), await readMapBeforeBytes(cursor))
  if (major !== '0') throw wrongMap()
  const list = fieldText(fields, 'GNU.sparse.map')
  if (list !== undefined) return mapOf(fieldNumber(fields, 'GNU.sparse.size'), list.split(',').map(Number))
  const offsets = fields.get('GNU.sparse.offset')
  const sizes = fields.get('GNU.sparse.numbytes')
  if (offsets === undefined || sizes === undefined) {
    // A file that consists of one hole has a size and no parts.
    return fields.has('GNU.sparse.size') ? mapOf(fieldNumber(fields, 'GNU.sparse.size'), []) : null
  }
  const numbers = offsets.flatMap((offset, index) => [Number(offset), Number(sizes[index] ?? Number.NaN)])
  return mapOf(fieldNumber(fields, 'GNU.sparse.size'), numbers)
}

async function readGnuMap(cursor: ByteCursor, header: Buffer): Promise<SparseMap> {
  const numbers: number[] = []
  addEntries(numbers, header, entriesInHeader)
  for (let isContinued = header[482] !== 0; isContinued;) {
    const block = await cursor.read(tarBlockBytes)
    if (block.length < tarBlockBytes) throw new AppError('cut-off')
    addEntries(numbers, block, entriesInBlock)
    isContinued = block[504] !== 0
  }
  return mapOf(numberField(header, 483, 12), numbers)
}

function addEntries(numbers: number[], block: Buffer, { start, count }: typeof entriesInHeader): void {
  for (let at = start; at < start + count * entryBytes && block[at] !== 0; at += entryBytes)
    numbers.push(numberField(block, at, 12), numberField(block, at + 12, 12))
  if (numbers.length > 2 * maxParts) throw wrongMap()
}

/** Reads a map that consists of lines with decimal numbers, the number of parts first, and fills whole blocks. */
async function readMapBeforeBytes(cursor: ByteCursor): Promise<number[]> {
  const numbers: number[] = []
  let line = ''
  while (numbers.length === 0 || numbers.length < 1 + 2 * (numbers[0] ?? 0)) {
    const block = await cursor.read(tarBlockBytes)
    if (block.length < tarBlockBytes) throw new AppError('cut-off')
    const lines = (line + block.toString('latin1')).split('\n')
    line = lines.pop() ?? ''
    numbers.push(...lines.map(Number))
    if (line.length > tarBlockBytes || !((numbers[0] ?? 0) <= maxParts)) throw wrongMap()
  }
  return numbers.slice(1, 1 + 2 * (numbers[0] ?? 0))
}

function mapOf(sizeBytes: number | undefined, numbers: readonly number[]): SparseMap {
  const parts: SparsePart[] = []
  let end = 0
  for (let index = 0; index < numbers.length; index += 2) {
    const part = { offset: tarSizeOf(numbers[index] ?? -1), sizeBytes: tarSizeOf(numbers[index + 1] ?? -1) }
    if (part.offset < end) throw wrongMap()
    end = part.offset + part.sizeBytes
    if (part.sizeBytes > 0) parts.push(part)
  }
  const size = tarSizeOf(sizeBytes ?? -1)
  if (end > size || parts.length > maxParts) throw wrongMap()
  return { sizeBytes: size, parts }
}

/** Returns the number of bytes of a sparse file that the archive contains. */
export const storedBytesOf = ({ parts }: SparseMap): number =>
  parts.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)

/** A chunk of the zeros between the parts. */
const zeros = new Uint8Array(64 * 1024)

/** Yields all bytes of a sparse file. Its parts are read from the cursor. */
export async function* expandSparse(
  cursor: ByteCursor,
  { parts, sizeBytes }: SparseMap,
): AsyncGenerator<Uint8Array, void> {
  let at = 0
  for (const part of parts) {
    yield* zerosOf(part.offset - at)
    yield* cursor.bytesUntil(cursor.position() + part.sizeBytes)
    at = part.offset + part.sizeBytes
  }
  yield* zerosOf(sizeBytes - at)
}

/** The chunks of zeros, 16 MiB, after which other work has its turn. Zeros need no disk, for which a reading would wait. */
const chunksPerTurn = 256

async function* zerosOf(count: number): AsyncGenerator<Uint8Array, void> {
  for (let left = count, chunks = 1; left > 0; left -= zeros.length, chunks += 1) {
    if (chunks % chunksPerTurn === 0) await setImmediate()
    yield zeros.subarray(0, Math.min(left, zeros.length))
  }
}

const wrongMap = (): AppError => new AppError('undecodable', { reason: 'the map of a sparse file is wrong' })
