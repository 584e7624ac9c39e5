import { AppError } from '../../../shared/domain/failure.ts'

/** A compressed block of an LZ4 file. */
export type Lz4Block = {
  readonly packed: Uint8Array
  /** The bytes before the block, to which it may refer. */
  readonly history: Uint8Array
  /** The largest number of bytes to which the block may expand. */
  readonly maxBytes: number
}

const minMatchBytes = 4
/** Shorter copies are made byte by byte, because a call takes longer than the copy. */
const shortBytes = 32

/**
 * Decompresses one block. Throws `undecodable` for a damaged one. The results of the library that compresses LZ4 are in memory
 * that V8 does not count, so that gigabytes of them stayed until a garbage collection.
 */
export function unpackLz4Block({ packed, history, maxBytes }: Lz4Block): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(history.length + maxBytes)
  out.set(history)
  let from = 0
  let to = history.length

  function nextByte(): number {
    const byte = packed[from]
    if (byte === undefined) throw damaged()
    from += 1
    return byte
  }

  function readLength(nibble: number): number {
    let length = nibble
    if (nibble < 15) return length
    for (let byte = 255; byte === 255;) {
      byte = nextByte()
      length += byte
    }
    return length
  }

  function copyLiterals(length: number): void {
    if (from + length > packed.length || to + length > out.length) throw damaged()
    if (length < shortBytes)
      for (let index = 0; index < length; index += 1) out[to + index] = packed[from + index] ?? 0
    else out.set(packed.subarray(from, from + length), to)
    from += length
    to += length
  }

  function copyMatch(distance: number, length: number): void {
    const start = to - distance
    const end = to + length
    if (distance === 0 || start < 0 || end > out.length) throw damaged()
    if (length < shortBytes) for (; to < end; to += 1) out[to] = out[to - distance] ?? 0
    // A match may be longer than its distance. Each copy then doubles what the next one can take.
    while (to < end) {
      const count = Math.min(end - to, to - start)
      out.copyWithin(to, start, start + count)
      to += count
    }
  }

  for (;;) {
    const token = nextByte()
    copyLiterals(readLength(token >> 4))
    // Only the last sequence has no match.
    if (from === packed.length) return out.slice(history.length, to)
    const distance = nextByte() | (nextByte() << 8)
    copyMatch(distance, readLength(token & 15) + minMatchBytes)
  }
}

const damaged = (): AppError => new AppError('undecodable', { reason: 'the LZ4 data is damaged' })
