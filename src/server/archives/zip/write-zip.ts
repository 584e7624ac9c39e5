import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib'
import { through } from '../compressions/through.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { bytesLeft, cursorOf, type Cursor } from '../cursor.ts'
import type { Member, MemberBytes, MemberPiece } from '../member.ts'
import { createDirectory } from './directory.ts'
import { sampleBytes, shrinks } from './shrinks.ts'
import { descriptor, directoryRow, localHeader, type Method, type Written } from './zip-records.ts'

/** So many files are deflated at once. */
const wholeAtOnce = 6

/** Smaller files are deflated at once: that takes a fraction of a millisecond, and handing them to another thread takes longer. */
const deflatedAtOnceBytes = 16 * 1024

const deflateAside = promisify(deflateRaw)
const deflateWhole = async (bytes: Uint8Array): Promise<Uint8Array> =>
  bytes.length <= deflatedAtOnceBytes ? deflateRawSync(bytes) : deflateAside(bytes)

/** A file that came in one piece: crc and sizes stand before its bytes, and several are deflated at once. */
type Whole = {
  readonly member: Member
  readonly method: Method
  readonly crc: number
  /** As they stand in the archive. */
  readonly bytes: Uint8Array
}

/** What has been written, and how far. */
type Zip = {
  offset: number
  readonly rows: { add(row: Uint8Array): void }
  /** Made, and not given on yet. */
  chunks: Uint8Array[]
  /** Begun, and not written yet: their bytes are copies. */
  readonly waiting: Promise<Whole>[]
}

/**
 * A zip file of these members, in chunks that are valid until more are asked for: deflated what shrinks, stored what does not. Of
 * any size; only its directory is kept in memory.
 */
export async function* writeZip(
  batches: AsyncIterable<readonly MemberPiece[]>,
): AsyncGenerator<readonly Uint8Array[], void> {
  const cursor = cursorOf(batches)
  const rows = createDirectory()
  const zip: Zip = { offset: 0, rows, chunks: [], waiting: [] }
  try {
    yield* writeMembers(zip, cursor)
    await writeWaiting(zip, 0)
    yield [...made(zip), ...rows.close(zip.offset)]
  } finally {
    await cursor.close()
  }
}

async function* writeMembers(zip: Zip, cursor: Cursor): AsyncGenerator<readonly Uint8Array[], void> {
  /** The member whose bytes come next. */
  let member: Member | null = null
  for (;;) {
    const piece = cursor.take()
    if (piece === null) {
      yield made(zip)
      if (await cursor.more()) continue
      if (member !== null) throw new AppError('truncated')
      return
    }
    if ((piece.kind === 'bytes') !== (member !== null)) throw new AppError('truncated')
    if (piece.kind === 'member') {
      member = piece.member
      if (member.sizeBytes > 0) continue
    }
    if (member === null) continue
    const first: MemberBytes = piece.kind === 'bytes' ? piece : noBytes
    if (first.bytes.length === member.sizeBytes) await takeWhole(zip, member, first)
    else {
      await writeWaiting(zip, 0)
      yield made(zip)
      const rest = bytesLeft(cursor, member.sizeBytes - first.bytes.length)
      yield* writeStream(zip, { member, first, rest })
    }
    member = null
  }
}

function made(zip: Zip): readonly Uint8Array[] {
  const { chunks } = zip
  zip.chunks = []
  return chunks
}

async function takeWhole(zip: Zip, member: Member, only: MemberBytes): Promise<void> {
  if (zip.waiting.length === 0 && !isShrunk(member, only)) {
    writeWhole(zip, stored(member, only))
    return
  }
  zip.waiting.push(packed(member, { ...only, bytes: Uint8Array.from(only.bytes) }))
  await writeWaiting(zip, wholeAtOnce - 1)
}

/** Down to so many. */
async function writeWaiting(zip: Zip, count: number): Promise<void> {
  for (let next; zip.waiting.length > count && (next = zip.waiting.shift());) writeWhole(zip, await next)
}

const noBytes: MemberBytes = { kind: 'bytes', bytes: new Uint8Array() }

const isShrunk = ({ name, sizeBytes }: Member, { bytes }: MemberBytes): boolean =>
  shrinks(name, sizeBytes, bytes.subarray(0, sampleBytes))

/** The sum of all bytes up to the end of these, made here where nobody has made it. */
const crcAfter = ({ bytes, crc }: MemberBytes, before: number): number => crc ?? crc32(bytes, before)

const stored = (member: Member, only: MemberBytes): Whole => ({
  member,
  method: 'stored',
  crc: crcAfter(only, 0),
  bytes: only.bytes,
})

async function packed(member: Member, only: MemberBytes): Promise<Whole> {
  const whole = stored(member, only)
  if (!isShrunk(member, only)) return whole
  const bytes = await deflateWhole(only.bytes)
  return bytes.length < member.sizeBytes ? { ...whole, method: 'deflated', bytes } : whole
}

function writeWhole(zip: Zip, { member, method, crc, bytes }: Whole): void {
  const written: Written = {
    method,
    crc,
    packedBytes: bytes.length,
    sizeBytes: member.sizeBytes,
    offset: zip.offset,
    isDescribed: false,
  }
  const header = localHeader(member, written)
  zip.chunks.push(header)
  if (bytes.length > 0) zip.chunks.push(bytes)
  zip.offset += header.length + bytes.length
  zip.rows.add(directoryRow(member, written))
}

/** A file that comes in several pieces. */
type Streamed = {
  readonly member: Member
  readonly first: MemberBytes
  readonly rest: AsyncGenerator<MemberBytes, void>
}

async function* writeStream(
  zip: Zip,
  { member, first, rest }: Streamed,
): AsyncGenerator<readonly Uint8Array[], void> {
  const method: Method = isShrunk(member, first) ? 'deflated' : 'stored'
  const facts = { method, sizeBytes: member.sizeBytes, isDescribed: true }
  const header = localHeader(member, { ...facts, crc: 0, packedBytes: 0 })
  yield [header]

  let crc = crcAfter(first, 0)
  let packedBytes = 0
  async function* seen(): AsyncGenerator<Uint8Array, void> {
    yield first.bytes
    for await (const piece of rest) {
      crc = crcAfter(piece, crc)
      yield piece.bytes
    }
  }
  for await (const chunk of method === 'deflated' ? through(seen(), createDeflateRaw()) : seen()) {
    packedBytes += chunk.length
    yield [chunk]
  }
  const written: Written = { ...facts, crc, packedBytes, offset: zip.offset }
  const end = descriptor(written)
  yield [end]
  zip.offset += header.length + packedBytes + end.length
  zip.rows.add(directoryRow(member, written))
}
