import { constants, createBrotliDecompress, createGunzip, createZstdDecompress } from 'node:zlib'
import type { Duplex } from 'node:stream'
import { AppError } from '../../../shared/domain/failure.ts'
import { pipeThrough } from '../compressions/pipe-through.ts'
import type { MemberReader, PackedSource } from './packed-file.ts'
import { readTar } from './read-tar.ts'
import { readZip } from './read-zip.ts'

/** The memory that a decoder may use, in bytes. It is the usual limit for archives that anybody has packed. */
const decoderBytes = 128 * 1024 * 1024
const windowLog = Math.log2(decoderBytes)

type ArchiveReader = { readonly extensions: readonly string[]; readonly read: MemberReader }

const wholeOf = ({ sizeBytes, bytes }: PackedSource): AsyncIterable<Uint8Array> =>
  bytes({ start: 0, end: sizeBytes })

/** Returns a reader of tar files that are compressed. `open` creates the stream that decompresses them. */
const compressedTar =
  (open: () => Promise<Duplex> | Duplex): MemberReader =>
  (source) =>
    readTar(decompressed(source, open))

async function* decompressed(source: PackedSource, open: () => Promise<Duplex> | Duplex) {
  try {
    yield* pipeThrough(wholeOf(source), await open())
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('undecodable', { cause: error })
  }
}

/** The archives that can be read, by the ends of their names. */
const readers: readonly ArchiveReader[] = [
  { extensions: ['.zip'], read: readZip },
  { extensions: ['.tar'], read: (source) => readTar(wholeOf(source)) },
  { extensions: ['.tar.gz', '.tgz'], read: compressedTar(createGunzip) },
  {
    extensions: ['.tar.zst', '.tzst'],
    read: compressedTar(() =>
      createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLog } }),
    ),
  },
  { extensions: ['.tar.br'], read: compressedTar(() => createBrotliDecompress()) },
  {
    extensions: ['.tar.xz', '.txz'],
    read: compressedTar(async () => {
      const { default: lzma } = await import('lzma-native')
      return lzma.createDecompressor({ memlimit: decoderBytes })
    }),
  },
]

/** Returns the reader of an archive, and the name without the extension. Throws `wrong-media-type` for another file. */
export function readerOf(name: string): { readonly read: MemberReader; readonly stem: string } {
  const lowerCaseName = name.toLowerCase()
  for (const { extensions, read } of readers) {
    const extension = extensions.find((one) => lowerCaseName.endsWith(one) && name.length > one.length)
    if (extension !== undefined) return { read, stem: name.slice(0, -extension.length) }
  }
  throw new AppError('wrong-media-type', { reason: 'this is not an archive that can be read' })
}
