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
    createDecompressor(options: { readonly memlimit: number }): Duplex & {
      /** Frees the memory of the decoder. May be called more than once. */
      cleanup(): void
    }
  }
  export = lzma
}
