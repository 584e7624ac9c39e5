import { promisify } from 'node:util'
import { crc32, createDeflateRaw, deflateRaw, deflateRawSync } from 'node:zlib'
import { through } from '../compressions/through.ts'
import { filesOf, type MemberFile } from '../files-of.ts'
import type { Member, MemberPiece } from '../member.ts'
import { createDirectory } from './directory.ts'
import { sampleBytes, shrinks } from './shrinks.ts'
import { descriptor, directoryRow, localHeader, type Method, type Written } from './zip-records.ts'

/** Files up to this size are taken whole: crc and sizes stand before their bytes, and several are compressed at once. */
const wholeBytes = 512 * 1024
const wholeAtOnce = 6

/** Smaller files are deflated at once: that takes a fraction of a millisecond, and handing them to another thread takes longer. */
const deflatedAtOnceBytes = 16 * 1024

const deflateAside = promisify(deflateRaw)
const deflateWhole = async (bytes: Uint8Array): Promise<Uint8Array> =>
  bytes.length <= deflatedAtOnceBytes ? deflateRawSync(bytes) : deflateAside(bytes)

/** Bytes of a file as they stand in the archive. */
type Packed = { readonly method: Method; readonly crc: number; readonly chunks: readonly Uint8Array[] }
type Whole = { readonly member: Member; readonly packed: Packed }

/** What has been written, and how far. */
type Zip = {
  offset: number
  readonly rows: { add(row: Uint8Array): void }
}

/** A zip file of these members: deflated what shrinks, stored what does not. Of any size; only its directory is kept in memory. */
export async function* writeZip(pieces: AsyncIterable<MemberPiece>): AsyncGenerator<Uint8Array, void> {
  const rows = createDirectory()
  const zip: Zip = { offset: 0, rows }
  const waiting: Promise<Whole>[] = []
  async function* takeDownTo(count: number): AsyncGenerator<Uint8Array, void> {
    for (let next; waiting.length > count && (next = waiting.shift());) yield* writeWhole(zip, await next)
  }
  for await (const file of filesOf(pieces)) {
    if (file.member.sizeBytes <= wholeBytes) {
      waiting.push(packed(file.member, await gathered(file.bytes)))
      yield* takeDownTo(wholeAtOnce - 1)
    } else {
      yield* takeDownTo(0)
      yield* writeStream(zip, file)
    }
  }
  yield* takeDownTo(0)
  yield* rows.close(zip.offset)
}

async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const all: Uint8Array[] = []
  for await (const chunk of chunks) all.push(chunk)
  return all
}

async function packed(member: Member, chunks: readonly Uint8Array[]): Promise<Whole> {
  const crc = crcOf(chunks)
  const stored: Packed = { method: 'stored', crc, chunks }
  if (chunks[0] === undefined || !shrinks(member.name, member.sizeBytes, chunks[0])) {
    return { member, packed: stored }
  }
  const deflated = await deflateWhole(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  const isSmaller = deflated.length < member.sizeBytes
  return { member, packed: isSmaller ? { method: 'deflated', crc, chunks: [deflated] } : stored }
}

const crcOf = (chunks: readonly Uint8Array[]): number => {
  let crc = 0
  for (const chunk of chunks) crc = crc32(chunk, crc)
  return crc
}

function* writeWhole(zip: Zip, { member, packed }: Whole): Generator<Uint8Array, void> {
  const { method, crc, chunks } = packed
  const packedBytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const written: Written = {
    method,
    crc,
    packedBytes,
    sizeBytes: member.sizeBytes,
    offset: zip.offset,
    isDescribed: false,
  }
  const header = localHeader(member, written)
  yield header
  yield* chunks
  zip.offset += header.length + packedBytes
  zip.rows.add(directoryRow(member, written))
}

async function* writeStream(zip: Zip, { member, bytes }: MemberFile): AsyncGenerator<Uint8Array, void> {
  const first = await bytes.next()
  const sample = first.value?.subarray(0, sampleBytes) ?? new Uint8Array()
  const method: Method = shrinks(member.name, member.sizeBytes, sample) ? 'deflated' : 'stored'
  const facts = { method, sizeBytes: member.sizeBytes, isDescribed: true }
  const header = localHeader(member, { ...facts, crc: 0, packedBytes: 0 })
  yield header

  let crc = 0
  let packedBytes = 0
  async function* seen(): AsyncGenerator<Uint8Array, void> {
    for (let next = first; next.done !== true; next = await bytes.next()) {
      crc = crc32(next.value, crc)
      yield next.value
    }
  }
  for await (const chunk of method === 'deflated' ? through(seen(), createDeflateRaw()) : seen()) {
    packedBytes += chunk.length
    yield chunk
  }
  const written: Written = { ...facts, crc, packedBytes, offset: zip.offset }
  const end = descriptor(written)
  yield end
  zip.offset += header.length + packedBytes + end.length
  zip.rows.add(directoryRow(member, written))
}
