/** This file declares types for the parts of untyped packages that the server uses. */

declare module 'bzip2-wasm' {
  const BZip2: new () => {
    init(): Promise<void>
    /** `maxBytes` is the size in bytes of the output buffer. A larger result throws an error. */
    compress(bytes: Uint8Array, level: number, maxBytes: number): Uint8Array
  }
  export = BZip2
}

declare module 'lzma-native' {
  const lzma: {
    compress(
      bytes: Uint8Array,
      preset: number,
      onResult: (packed: Buffer | null, error: Error | undefined) => void,
    ): void
  }
  export = lzma
}
