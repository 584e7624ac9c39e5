import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib'
import { pipeThrough } from '../compressions/pipe-through.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { remainingBytesOf, cursorOf, type MemberChunkCursor } from '../members/cursor.ts'
import type { ArchiveMember, MemberBytes, MemberChunk } from '../members/member.ts'
import { createCentralDirectory } from './central-directory.ts'
import { sampleBytes, isWorthDeflating } from './is-worth-deflating.ts'
import {
  dataDescriptor,
  directoryRow,
  localHeader,
  type ZipCompressionMethod,
  type ZipMemberRecord,
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
 * A file that arrived in one chunk. In the zip file, its CRC and sizes are written before its bytes. Several of these
 * files are deflated concurrently.
 */
type PackedFile = {
  readonly member: ArchiveMember
  readonly method: ZipCompressionMethod
  readonly crc: number
  /** The bytes as the archive stores them. */
  readonly bytes: Uint8Array
}

/** The state of a zip file that is being written. */
type ZipWriterState = {
  offset: number
  readonly rows: { add(row: Uint8Array): void }
  /** Chunks of the zip file that have not been yielded yet. */
  chunks: Uint8Array[]
  /** Files that are being compressed, or are compressed and not yet written. Their bytes are copies. */
  readonly waiting: Promise<PackedFile>[]
}

/**
 * Yields a zip file of the members in lists of chunks. The chunks are valid until the next list is requested. Files
 * that shrink are deflated, and other files are stored. The zip file may have any size, because only its central
 * directory is kept in memory.
 */
export async function* writeZip(
  batches: AsyncIterable<readonly MemberChunk[]>,
): AsyncGenerator<readonly Uint8Array[], void> {
  const cursor = cursorOf(batches)
  const rows = createCentralDirectory()
  const zip: ZipWriterState = { offset: 0, rows, chunks: [], waiting: [] }
  try {
    yield* writeMembers(zip, cursor)
    await writeWaiting(zip, 0)
    yield [...takeChunks(zip), ...rows.close(zip.offset)]
  } finally {
    await cursor.close()
  }
}

async function* writeMembers(
  zip: ZipWriterState,
  cursor: MemberChunkCursor,
): AsyncGenerator<readonly Uint8Array[], void> {
  /** The member whose bytes come next. Null when the start of a member comes next. */
  let member: ArchiveMember | null = null
  for (;;) {
    const chunk = cursor.take()
    if (chunk === null) {
      yield takeChunks(zip)
      if (await cursor.loadNextBatch()) continue
      if (member !== null) throw new AppError('truncated')
      return
    }
    if ((chunk.kind === 'bytes') !== (member !== null)) throw new AppError('truncated')
    if (chunk.kind === 'member') {
      member = chunk.member
      if (member.sizeBytes > 0) continue
    }
    if (member === null) continue
    const first: MemberBytes = chunk.kind === 'bytes' ? chunk : noBytes
    if (first.bytes.length === member.sizeBytes) await addWholeFile(zip, member, first)
    else {
      await writeWaiting(zip, 0)
      yield takeChunks(zip)
      const rest = remainingBytesOf(cursor, member.sizeBytes - first.bytes.length)
      yield* writeStream(zip, { member, first, rest })
    }
    member = null
  }
}

function takeChunks(zip: ZipWriterState): readonly Uint8Array[] {
  const { chunks } = zip
  zip.chunks = []
  return chunks
}

async function addWholeFile(
  zip: ZipWriterState,
  member: ArchiveMember,
  wholeFile: MemberBytes,
): Promise<void> {
  if (zip.waiting.length === 0 && !isWorthDeflatingMember(member, wholeFile)) {
    writeWhole(zip, storedFile(member, wholeFile))
    return
  }
  zip.waiting.push(compressFile(member, { ...wholeFile, bytes: Uint8Array.from(wholeFile.bytes) }))
  await writeWaiting(zip, maxWaitingFiles - 1)
}

/** Writes waiting files in order until only `count` files are waiting. */
async function writeWaiting(zip: ZipWriterState, count: number): Promise<void> {
  for (let next; zip.waiting.length > count && (next = zip.waiting.shift());) writeWhole(zip, await next)
}

const noBytes: MemberBytes = { kind: 'bytes', bytes: new Uint8Array() }

const isWorthDeflatingMember = ({ name, sizeBytes }: ArchiveMember, { bytes }: MemberBytes): boolean =>
  isWorthDeflating(name, sizeBytes, bytes.subarray(0, sampleBytes))

/**
 * Returns the CRC-32 of a member's bytes up to the end of this chunk, and computes it if the reader has not. `before`
 * is the CRC-32 of the member's bytes before this chunk.
 */
const crcAfter = ({ bytes, crc }: MemberBytes, before: number): number => crc ?? crc32(bytes, before)

const storedFile = (member: ArchiveMember, wholeFile: MemberBytes): PackedFile => ({
  member,
  method: 'stored',
  crc: crcAfter(wholeFile, 0),
  bytes: wholeFile.bytes,
})

async function compressFile(member: ArchiveMember, wholeFile: MemberBytes): Promise<PackedFile> {
  const storedResult = storedFile(member, wholeFile)
  if (!isWorthDeflatingMember(member, wholeFile)) return storedResult
  const bytes = await deflateWhole(wholeFile.bytes)
  return bytes.length < member.sizeBytes ? { ...storedResult, method: 'deflated', bytes } : storedResult
}

function writeWhole(zip: ZipWriterState, { member, method, crc, bytes }: PackedFile): void {
  const written: ZipMemberRecord = {
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

/** A file whose bytes arrive in several chunks. */
type StreamedFile = {
  readonly member: ArchiveMember
  readonly first: MemberBytes
  readonly rest: AsyncGenerator<MemberBytes, void>
}

async function* writeStream(
  zip: ZipWriterState,
  { member, first, rest }: StreamedFile,
): AsyncGenerator<readonly Uint8Array[], void> {
  const method: ZipCompressionMethod = isWorthDeflatingMember(member, first) ? 'deflated' : 'stored'
  const headerFields = { method, sizeBytes: member.sizeBytes, isDescribed: true }
  const header = localHeader(member, { ...headerFields, crc: 0, packedBytes: 0 })
  yield [header]

  let crc = crcAfter(first, 0)
  let packedBytes = 0
  async function* memberBytes(): AsyncGenerator<Uint8Array, void> {
    yield first.bytes
    for await (const bytesChunk of rest) {
      crc = crcAfter(bytesChunk, crc)
      yield bytesChunk.bytes
    }
  }
  for await (const chunk of method === 'deflated'
    ? pipeThrough(memberBytes(), createDeflateRaw())
    : memberBytes()) {
    packedBytes += chunk.length
    yield [chunk]
  }
  const written: ZipMemberRecord = { ...headerFields, crc, packedBytes, offset: zip.offset }
  const end = dataDescriptor(written)
  yield [end]
  zip.offset += header.length + packedBytes + end.length
  zip.rows.add(directoryRow(member, written))
}
