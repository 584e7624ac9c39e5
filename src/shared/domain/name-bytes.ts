/** The limits of names and paths. They are apart from the other limits because the first screen needs only these. */
export const pathLimits = { nameBytes: 255, pathBytes: 4096, pathSegments: 1024 }

/**
 * Names on disk are sequences of bytes, and names in this program are strings. Bytes that are not UTF-8 become lone
 * surrogates U+DC80 to U+DCFF (as Python's `surrogateescape` does), so every name on disk has exactly one string and
 * can be listed, renamed and deleted.
 */
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const encoder = new TextEncoder()
const escaped = /[\uD800-\uDFFF]/u

/** Returns the string for the bytes of a name on disk. */
export function nameOfBytes(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes)
  } catch {
    return escapeInvalid(bytes)
  }
}

/** Returns the bytes of a name on disk. Null for a string that `nameOfBytes` never returns. */
export function bytesOfName(name: string): Uint8Array | null {
  if (!escaped.test(name)) return encoder.encode(name)
  const bytes: number[] = []
  for (const character of name) {
    const code = character.codePointAt(0) ?? 0
    if (code >= 0xdc80 && code <= 0xdcff) bytes.push(code - 0xdc00)
    else if (code >= 0xd800 && code <= 0xdfff) return null
    else bytes.push(...encoder.encode(character))
  }
  const result = Uint8Array.from(bytes)
  return nameOfBytes(result) === name ? result : null
}

/** True for a name that is valid UTF-8 on disk. Only such names may be given to new entries. */
export const isText = (name: string): boolean => !escaped.test(name)

/** Returns the length of a name on disk in bytes. */
export function byteLength(name: string): number {
  if (/^[\0-\x7f]*$/.test(name)) return name.length
  return bytesOfName(name)?.length ?? encoder.encode(name).length
}

function escapeInvalid(bytes: Uint8Array): string {
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at)
    if (length === 0) text += String.fromCharCode(0xdc00 + (bytes[at] ?? 0))
    else text += strict.decode(bytes.subarray(at, at + length))
    at += Math.max(length, 1)
  }
  return text
}

/** Returns the length of the valid UTF-8 sequence that starts at `at`. 0 when no valid sequence starts there. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0
  if (length === 0 || at + length > bytes.length) return 0
  try {
    strict.decode(bytes.subarray(at, at + length))
    return length
  } catch {
    return 0
  }
}
