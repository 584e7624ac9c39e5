import { CallError } from '../../../api/call.ts'
import type { ViewedFile } from '../viewer.ts'
import { inflate } from './inflate.ts'
import {
  findDirectory,
  placeFromZip64,
  readDirectory,
  tailBytes,
  zip64RecordBytes,
  type ZipEntry,
} from './zip-directory.ts'
import { ZipError } from './zip-error.ts'

export type ReadOptions = {
  /** The largest content that is read, in bytes. */
  readonly maxBytes: number
  readonly signal: AbortSignal
}

/** An open ZIP file. Its entries are read from the server when they are needed. */
export type ZipArchive = {
  readonly entries: readonly ZipEntry[]
  /**
   * Returns the content of an entry.
   * @throws ZipError, CallError when the server refuses, and the reason of the signal.
   */
  readonly read: (entry: ZipEntry, options: ReadOptions) => Promise<Uint8Array<ArrayBuffer>>
}

type ByteRange = { readonly start: number; readonly end: number }
type ReadRange = (range: ByteRange, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer>>

/**
 * Opens a ZIP file by its end and its directory, so that a large file is never loaded as a whole.
 * @throws ZipError, CallError when the server refuses, and the reason of the signal.
 */
export async function openZip(
  { address, sizeBytes }: Pick<ViewedFile, 'address' | 'sizeBytes'>,
  signal: AbortSignal,
): Promise<ZipArchive> {
  const read = rangeReader(address)
  const viewOf = async (range: ByteRange): Promise<DataView> => {
    if (range.start < 0 || range.end > sizeBytes) throw new ZipError('damaged')
    return new DataView((await read(range, signal)).buffer)
  }
  const tail = await viewOf({ start: Math.max(0, sizeBytes - tailBytes), end: sizeBytes })
  const found = findDirectory(tail, sizeBytes)
  const place =
    'zip64RecordStart' in found
      ? placeFromZip64(
          await viewOf({ start: found.zip64RecordStart, end: found.zip64RecordStart + zip64RecordBytes }),
          found.zip64RecordStart,
        )
      : found
  const directory = await viewOf({ start: place.start, end: place.start + place.bytes })
  return {
    entries: readDirectory(directory, place),
    read: (entry, options) => readEntry(read, entry, options),
  }
}

async function readEntry(
  read: ReadRange,
  entry: ZipEntry,
  { maxBytes, signal }: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const { start, end, storedBytes, sizeBytes, method } = entry
  if (entry.isEncrypted) throw new ZipError('encrypted')
  if (method !== 0 && method !== 8) throw new ZipError('unsupported')
  if (sizeBytes > maxBytes || storedBytes > maxBytes) throw new ZipError('too-large')
  // The header of the entry has a name and a field of extra data, both of at most 64 KiB.
  const bytes = await read({ start, end: Math.min(end, start + 30 + 2 * 0xffff + storedBytes) }, signal)
  const header = new DataView(bytes.buffer)
  if (bytes.length < 30 || header.getUint32(0, true) !== 0x0403_4b50) throw new ZipError('damaged')
  const from = 30 + header.getUint16(26, true) + header.getUint16(28, true)
  const stored = bytes.subarray(from, from + storedBytes)
  if (stored.length !== storedBytes) throw new ZipError('damaged')
  if (method === 8) return inflate(stored, sizeBytes, signal)
  if (storedBytes !== sizeBytes) throw new ZipError('damaged')
  return stored
}

/** Returns a function that reads ranges of a file, as long as the file on the server stays the same. */
function rangeReader(address: string): ReadRange {
  let version: string | null = null
  return async ({ start, end }, signal) => {
    if (start >= end) return new Uint8Array(0)
    const response = await fetch(address, { headers: { Range: `bytes=${start}-${end - 1}` }, signal })
    if (!response.ok) throw new CallError(response.status)
    const etag = response.headers.get('etag')
    version ??= etag
    // A server without support for ranges would send the whole file.
    if (response.status !== 206 || etag !== version) {
      await response.body?.cancel()
      throw new ZipError('damaged')
    }
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (bytes.length !== end - start) throw new ZipError('damaged')
    return bytes
  }
}
