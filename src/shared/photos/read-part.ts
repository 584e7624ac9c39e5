export type Bytes = Uint8Array<ArrayBuffer>

/** Reads a part of a file. The part is shorter where the file ends. */
export type ReadPart = (offset: number, length: number) => Promise<Bytes>
