import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib'
import { pipeThrough } from '../compressions/pipe-through.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { bytesLeft, cursorOf, type PieceCursor } from '../members/cursor.ts'
import type { ArchiveMember, MemberBytes, MemberPiece } from '../members/member.ts'
import { createCentralDirectory } from './central-directory.ts'
import { sampleBytes, isWorthDeflating } from './is-worth-deflating.ts'
import {
  dataDescriptor,
  directoryRow,
  localHeader,
  type CompressionMethod,
  type MemberRecord,
} from './zip-records.ts'

/** Maximum number of files that are deflated concurrently. */
const maxWaitingFiles = 6

/**
 * Maximum size of a file that is deflated synchronously, in bytes (16 KiB). This takes a fraction of a millisecond;
 * passing the file to another thread takes longer.
 */
const maxSyncDeflateBytes = 16 * 1024

const deflateInThread = promisify(deflateRaw)
const deflateWhole = async (bytes: Uint8Array): Promise<Uint8Array> =>
  bytes.length <= maxSyncDeflateBytes ? deflateRawSync(bytes) : deflateInThread(bytes)

/**
 * A file whose bytes arrived in one piece. Its CRC and sizes precede its bytes, and several of these files are deflated
 * concurrently.
 */
type PackedFile = {
  readonly member: ArchiveMember
  readonly method: CompressionMethod
  readonly crc: number
  /** The bytes as the archive stores them. */
  readonly bytes: Uint8Array
}

/** The state of a zip file that is being written. */
type ZipState = {
  offset: number
  readonly rows: { add(row: Uint8Array): void }
  /** Chunks that are written but not yet yielded. */
  chunks: Uint8Array[]
  /** Files whose compression has started and that are not yet written. Their bytes are copies. */
  readonly waiting: Promise<PackedFile>[]
}

/**
 * Yields a zip file of these members in lists of chunks. The chunks are valid until the next list is requested. Files
 * that shrink are deflated, the others are stored. The file may be of any size; only its central directory is kept in
 * memory.
 */
export async function* writeZip(
  batches: AsyncIterable<readonly MemberPiece[]>,
): AsyncGenerator<readonly Uint8Array[], void> {
  const cursor = cursorOf(batches)
  const rows = createCentralDirectory()
  const zip: ZipState = { offset: 0, rows, chunks: [], waiting: [] }
  try {
    yield* writeMembers(zip, cursor)
    await writeWaiting(zip, 0)
    yield [...takeChunks(zip), ...rows.close(zip.offset)]
  } finally {
    await cursor.close()
  }
}

async function* writeMembers(
  zip: ZipState,
  cursor: PieceCursor,
): AsyncGenerator<readonly Uint8Array[], void> {
  /** The member whose bytes come next; null when a member is expected. */
  let member: ArchiveMember | null = null
  for (;;) {
    const piece = cursor.take()
    if (piece === null) {
      yield takeChunks(zip)
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
      yield takeChunks(zip)
      const rest = bytesLeft(cursor, member.sizeBytes - first.bytes.length)
      yield* writeStream(zip, { member, first, rest })
    }
    member = null
  }
}

function takeChunks(zip: ZipState): readonly Uint8Array[] {
  const { chunks } = zip
  zip.chunks = []
  return chunks
}

async function takeWhole(zip: ZipState, member: ArchiveMember, only: MemberBytes): Promise<void> {
  if (zip.waiting.length === 0 && !isShrunk(member, only)) {
    writeWhole(zip, stored(member, only))
    return
  }
  zip.waiting.push(packed(member, { ...only, bytes: Uint8Array.from(only.bytes) }))
  await writeWaiting(zip, maxWaitingFiles - 1)
}

/** Writes waiting files in order until only `count` are left. */
async function writeWaiting(zip: ZipState, count: number): Promise<void> {
  for (let next; zip.waiting.length > count && (next = zip.waiting.shift());) writeWhole(zip, await next)
}

const noBytes: MemberBytes = { kind: 'bytes', bytes: new Uint8Array() }

const isShrunk = ({ name, sizeBytes }: ArchiveMember, { bytes }: MemberBytes): boolean =>
  isWorthDeflating(name, sizeBytes, bytes.subarray(0, sampleBytes))

/** Returns the CRC-32 of the bytes up to the end of this piece, and computes it unless the reader has done so. */
const crcAfter = ({ bytes, crc }: MemberBytes, before: number): number => crc ?? crc32(bytes, before)

const stored = (member: ArchiveMember, only: MemberBytes): PackedFile => ({
  member,
  method: 'stored',
  crc: crcAfter(only, 0),
  bytes: only.bytes,
})

async function packed(member: ArchiveMember, only: MemberBytes): Promise<PackedFile> {
  const whole = stored(member, only)
  if (!isShrunk(member, only)) return whole
  const bytes = await deflateWhole(only.bytes)
  return bytes.length < member.sizeBytes ? { ...whole, method: 'deflated', bytes } : whole
}

function writeWhole(zip: ZipState, { member, method, crc, bytes }: PackedFile): void {
  const written: MemberRecord = {
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

/** A file whose bytes arrive in several pieces. */
type StreamedFile = {
  readonly member: ArchiveMember
  readonly first: MemberBytes
  readonly rest: AsyncGenerator<MemberBytes, void>
}

async function* writeStream(
  zip: ZipState,
  { member, first, rest }: StreamedFile,
): AsyncGenerator<readonly Uint8Array[], void> {
  const method: CompressionMethod = isShrunk(member, first) ? 'deflated' : 'stored'
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
  for await (const chunk of method === 'deflated' ? pipeThrough(seen(), createDeflateRaw()) : seen()) {
    packedBytes += chunk.length
    yield [chunk]
  }
  const written: MemberRecord = { ...facts, crc, packedBytes, offset: zip.offset }
  const end = dataDescriptor(written)
  yield [end]
  zip.offset += header.length + packedBytes + end.length
  zip.rows.add(directoryRow(member, written))
}
