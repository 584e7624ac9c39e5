/** This file declares types for the parts of untyped packages that the server uses. */

declare module 'bzip2-wasm' {
  const BZip2: new () => {
    init(): Promise<void>
    /** `maxBytes` is the size in bytes of the output buffer. A larger result throws an error. */
    compress(bytes: Uint8Array, level: number, maxBytes: number): Uint8Array
    decompress(bytes: Uint8Array, maxBytes: number): Uint8Array
  }
  export = BZip2
}

declare module 'lzma-native' {
  import type { Duplex } from 'node:stream'
  const lzma: {
    compress(
      bytes: Uint8Array,
      preset: number,
      onResult: (packed: Buffer | null, error: Error | undefined) => void,
    ): void
    /** Creates a stream that decompresses xz and lzma files. `memlimit` is the maximum memory of the decoder, in bytes. */
    createDecompressor(options: { readonly memlimit: number }): Duplex
  }
  export = lzma
}

declare module 'yauzl' {
  import type { Readable } from 'node:stream'
  export type Entry = {
    readonly generalPurposeBitFlag: number
    readonly fileNameRaw: Buffer
    readonly extraFields: readonly { readonly id: number; readonly data: Buffer }[]
    readonly externalFileAttributes: number
    readonly versionMadeBy: number
    readonly compressedSize: number
    readonly uncompressedSize: number
    readonly crc32: number
    getLastModDate(): Date
    canDecodeFileData(): boolean
  }
  export type ZipFile = {
    readonly entryCount: number
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
    close(): void
  }
  export type RandomAccessReader = {
    _readStreamForRange(start: number, end: number): Readable
    /** Reads like `fs.read`. */
    read(
      ...request: readonly [
        buffer: Buffer,
        offset: number,
        length: number,
        position: number,
        callback: (error: Error | null, bytesRead?: number) => void,
      ]
    ): void
  }
  export const RandomAccessReader: new () => RandomAccessReader
  export function fromRandomAccessReaderPromise(
    reader: RandomAccessReader,
    totalSize: number,
    options: { readonly decodeStrings: boolean; readonly autoClose: boolean },
  ): Promise<ZipFile>
  export function getFileNameLowLevel(
    ...field: readonly [flags: number, name: Buffer, extraFields: Entry['extraFields'], isStrict: boolean]
  ): string
}
