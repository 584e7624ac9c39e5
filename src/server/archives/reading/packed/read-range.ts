import type { PackedSource } from './packed-file.ts'

/** Reads the part of a range that is inside the file. */
export async function readRange(
  { sizeBytes, bytes }: PackedSource,
  start: number,
  end: number,
): Promise<Buffer> {
  if (start < 0 || start >= sizeBytes) return Buffer.alloc(0)
  const chunks: Buffer[] = []
  // The storage uses the memory of a chunk again.
  for await (const chunk of bytes({ start, end: Math.min(end, sizeBytes) })) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
