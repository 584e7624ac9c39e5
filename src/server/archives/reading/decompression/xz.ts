import type { ByteReservation } from '../../../concurrency/byte-budget.ts'
import { loadLzma } from '../../compressions/native-packages.ts'
import { pipeThrough } from '../../compressions/pipe-through.ts'
import { createPeak } from '../packed/archive-memory.ts'
import type { PackedSource } from '../packed/packed-file.ts'
import { readRange } from '../packed/read-range.ts'
import { maxWindowBytes, windowHeadBytes, xzDictionaryBytes } from './decoder-windows.ts'

/**
 * The number of bytes that the decoder gets at a time. The library puts everything to which they expand into memory, whether or
 * not it is read: 7000 times as much at most. Larger pieces are faster: without a limit, unpacking takes 20 % less time.
 */
const pieceBytes = 2048

/**
 * A dictionary that later blocks of a file may have although its first block declares a smaller one: that of the default level
 * of xz, for files that consist of several ones.
 */
const freeDictionaryBytes = 8 * 1024 * 1024
/** The memory of a decoder without its dictionary is smaller than this number of bytes. */
const decoderBytes = 1024 * 1024

/** Decompresses an xz file, and counts the memory of the decoder. */
export async function* xzDecompress(
  source: PackedSource,
  memory: ByteReservation,
): AsyncGenerator<Uint8Array, void> {
  const lzma = await loadLzma()
  const dictionaryBytes = xzDictionaryBytes(await readRange(source, 0, windowHeadBytes))
  const memlimit = Math.min(maxWindowBytes, Math.max(dictionaryBytes, freeDictionaryBytes) + decoderBytes)
  memory.add(memlimit)
  const countQueued = createPeak(memory)
  const decoder = lzma.createDecompressor({ memlimit })
  // A piece that is damaged can fail after the client has left. Nobody else listens then, and such an error ends the process.
  decoder.on('error', () => {})
  try {
    for await (const bytes of pipeThrough(
      inPieces(source.bytes({ start: 0, end: source.sizeBytes })),
      decoder,
    )) {
      countQueued(decoder.readableLength)
      yield bytes
    }
  } finally {
    // The library tells V8 nothing of its memory, so that no garbage collection would free it soon.
    decoder.cleanup()
  }
}

/** The last byte of a stream in an xz file is the second of these two. */
const firstOfEnd = 0x59

/**
 * Splits chunks into small pieces. None ends between the last two bytes of a stream, because the library recognizes the end of a
 * stream only when they are in the same piece, and ignores what follows them otherwise.
 */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let held = Buffer.alloc(0)
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      const piece = Buffer.concat([held, chunk.subarray(start, start + pieceBytes)])
      const end = piece.length - (piece.at(-1) === firstOfEnd ? 1 : 0)
      held = piece.subarray(end)
      if (end > 0) yield piece.subarray(0, end)
    }
  }
  if (held.length > 0) yield held
}
