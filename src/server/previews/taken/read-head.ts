import type { Bytes, ReadPart } from '../../../shared/photos/read-part.ts'
import { type PictureHead, readPictureHead } from '../../../shared/photos/picture-head.ts'
import { UnreadableImageError } from '../../../shared/photos/unreadable-image.ts'
import type { OpenFile } from '../../storage/port.ts'
import { sizeBytesOf } from '../open-image.ts'

/**
 * Limits for one picture. A camera writes the time and the size into the first 64 KiB. A PNG or HEIF file may name a later place, and a damaged file
 * many of them.
 */
const limits = { headBytes: 64 * 1024, furtherReads: 16, furtherBytes: 128 * 1024 } as const

/**
 * Returns the time at which a picture was taken and the size in which it is shown, as far as the file says so. The caller closes the file.
 */
export const headOf = (file: OpenFile): Promise<PictureHead> => {
  const sizeBytes = sizeBytesOf(file)
  return readPictureHead(partReaderOf(file, sizeBytes), sizeBytes)
}

/**
 * Returns a function that reads parts of a file, and refuses to read more than the limits allow. The time and the size are often in the same
 * parts, which are read once.
 */
function partReaderOf(file: OpenFile, sizeBytes: number): ReadPart {
  let head: Promise<Bytes> | null = null
  const further = new Map<string, Promise<Bytes>>()
  let bytesRead = 0
  return async (offset, length) => {
    const end = Math.min(sizeBytes, offset + length)
    if (offset >= end) return new Uint8Array()
    if (end <= limits.headBytes) {
      head ??= bytesOf(file, 0, Math.min(sizeBytes, limits.headBytes))
      return (await head).slice(offset, end)
    }
    const key = `${offset}-${end}`
    const known = further.get(key)
    if (known !== undefined) return known
    bytesRead += end - offset
    if (further.size >= limits.furtherReads || bytesRead > limits.furtherBytes)
      throw new UnreadableImageError('too much of it would have to be read')
    const bytes = bytesOf(file, offset, end)
    further.set(key, bytes)
    return bytes
  }
}

async function bytesOf(file: OpenFile, start: number, end: number): Promise<Bytes> {
  const bytes = new Uint8Array(end - start)
  let length = 0
  for await (const chunk of file.bytes({ start, end })) {
    bytes.set(chunk, length)
    length += chunk.length
  }
  return bytes.subarray(0, length)
}
