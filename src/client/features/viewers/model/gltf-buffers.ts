import { asDamaged, DamagedModelError } from './damaged-model-error.ts'

/** The parts of a glTF document that name its buffers and extensions. */
type GltfDocument = {
  buffers?: { uri?: string; byteLength: number }[]
  readonly bufferViews?: { buffer: number; byteOffset?: number }[]
  readonly asset?: { readonly version?: string }
  readonly nodes?: readonly unknown[]
  readonly extensionsUsed?: readonly string[]
  readonly extensionsRequired?: readonly string[]
}

/** The first four bytes of a binary glTF file, as a number. */
const binaryMark = 0x46546c67
const jsonChunk = 0x4e4f534a
const bytesChunk = 0x004e4942

/** The length of the header of a binary file with the header of its first chunk, and the place of the chunk's length in it. */
const documentStart = 20
const documentLengthAt = 12

const isBinary = (bytes: ArrayBuffer): boolean =>
  bytes.byteLength >= documentStart && new DataView(bytes).getUint32(0, true) === binaryMark

/**
 * Reads the document of a glTF file, which is a text or the first chunk of a binary file.
 * @throws DamagedModelError.
 */
export function readGltf(bytes: ArrayBuffer): GltfDocument {
  const text = isBinary(bytes)
    ? new Uint8Array(bytes).subarray(
        documentStart,
        documentStart + new DataView(bytes).getUint32(documentLengthAt, true),
      )
    : bytes
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(text))
    if (typeof document === 'object' && document !== null) return document
  } catch (error) {
    asDamaged(error)
  }
  throw new DamagedModelError()
}

/**
 * Puts the buffers of a glTF text into one binary file, as the format defines it. The library would fetch buffers inside
 * the text from `data:` URLs, which the policy of the page forbids. A binary file is returned as it is.
 * @throws when the document is damaged, or when `fetchBuffer` throws.
 */
export async function embedBuffers(
  bytes: ArrayBuffer,
  fetchBuffer: (uri: string) => Promise<ArrayBuffer>,
): Promise<ArrayBuffer> {
  if (isBinary(bytes)) return bytes
  const gltf = readGltf(bytes)
  const parts: Uint8Array[] = []
  const offsets: number[] = []
  let size = 0
  for (const { uri = '' } of gltf.buffers ?? []) {
    const part = uri.startsWith('data:') ? bytesOfDataUrl(uri) : new Uint8Array(await fetchBuffer(uri))
    offsets.push(size)
    parts.push(part)
    size += padded(part.length)
  }
  for (const view of gltf.bufferViews ?? []) {
    view.byteOffset = (view.byteOffset ?? 0) + (offsets[view.buffer] ?? 0)
    view.buffer = 0
  }
  gltf.buffers = [{ byteLength: size }]
  return binaryFile(new TextEncoder().encode(JSON.stringify(gltf)), { parts, offsets, size })
}

const padded = (length: number): number => Math.ceil(length / 4) * 4

/** Decodes a `data:` URL in Base64, the only form that the format allows. */
function bytesOfDataUrl(url: string): Uint8Array {
  const text = atob(url.slice(url.indexOf(',') + 1))
  return Uint8Array.from(text, (character) => character.codePointAt(0) ?? 0)
}

type PackedBuffers = {
  readonly parts: readonly Uint8Array[]
  readonly offsets: readonly number[]
  readonly size: number
}

/** Writes the header of 12 bytes, then the document and the buffers as chunks, each with a header of 8 bytes. */
function binaryFile(json: Uint8Array, { parts, offsets, size }: PackedBuffers): ArrayBuffer {
  const jsonSize = padded(json.length)
  const file = new Uint8Array(28 + jsonSize + size)
  const header = new DataView(file.buffer)
  const numbers = [binaryMark, 2, file.length, jsonSize, jsonChunk]
  numbers.forEach((number, at) => header.setUint32(at * 4, number, true))
  // The document is padded with spaces.
  file.fill(0x20, 20, 20 + jsonSize)
  file.set(json, 20)
  header.setUint32(20 + jsonSize, size, true)
  header.setUint32(24 + jsonSize, bytesChunk, true)
  parts.forEach((part, at) => file.set(part, 28 + jsonSize + (offsets[at] ?? 0)))
  return file.buffer
}
