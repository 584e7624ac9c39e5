/** The largest number of characters that are shown of a font. */
const maxCharacters = 400

/** The largest number of code points that are examined for them. A hostile font may name ranges without characters. */
const maxExaminedCodes = 200_000

/** The largest table of characters that is read, in bytes. The tables of the largest fonts have about 500 kB. */
const maxTableBytes = 4 * 1024 * 1024

/**
 * Returns the first characters that a font has a picture for, without spaces and control characters. Null for WOFF2, whose
 * compression the browser offers to no script, and for a font whose table of characters has an unknown form.
 */
export async function charactersOf(bytes: ArrayBuffer): Promise<readonly string[] | null> {
  try {
    const table = await readTable(bytes)
    return table && listCharacters(table)
  } catch {
    return null
  }
}

/** Returns the table `cmap` of a font in the format TrueType, OpenType or WOFF. */
async function readTable(bytes: ArrayBuffer): Promise<DataView | null> {
  const font = new DataView(bytes)
  const signature = font.getUint32(0)
  const isWoff = signature === 0x774f4646
  if (!isWoff && ![0x0001_0000, 0x4f54544f, 0x74727565].includes(signature)) return null
  const [entriesStart, entryBytes] = isWoff ? [44, 20] : [12, 16]
  const count = font.getUint16(isWoff ? 12 : 4)
  for (let index = 0; index < count; index += 1) {
    const entry = entriesStart + index * entryBytes
    if (font.getUint32(entry) !== 0x636d6170) continue
    const offset = font.getUint32(entry + (isWoff ? 4 : 8))
    const storedBytes = font.getUint32(entry + (isWoff ? 8 : 12))
    const tableBytes = isWoff ? font.getUint32(entry + 12) : storedBytes
    if (tableBytes > maxTableBytes) return null
    const stored = new Uint8Array(bytes, offset, storedBytes)
    return new DataView(
      storedBytes === tableBytes ? stored.slice().buffer : await inflate(stored, tableBytes),
    )
  }
  return null
}

/** Decompresses a table, which must have the size that the font names. */
async function inflate(stored: Uint8Array<ArrayBuffer>, size: number): Promise<ArrayBuffer> {
  const reader = new Blob([stored]).stream().pipeThrough(new DecompressionStream('deflate')).getReader()
  const table = new Uint8Array(size)
  for (let at = 0; ;) {
    const { done, value } = await reader.read()
    if (done) return table.buffer
    // A chunk beyond the end of the table throws a RangeError.
    table.set(value, at)
    at += value.length
  }
}

/** Lists the characters of the table's map for Unicode. A damaged table throws a RangeError. */
function listCharacters(table: DataView): readonly string[] | null {
  const maps = Array.from({ length: table.getUint16(2) }, (_, index) => table.getUint32(4 + index * 8 + 4))
  const full = maps.find((at) => table.getUint16(at) === 12)
  const basic = maps.find((at) => table.getUint16(at) === 4)
  if (full !== undefined) return charactersIn(rangesOfFullMap(table, full))
  return basic === undefined ? null : charactersIn(rangesOfBasicMap(table, basic))
}

type CodeRange = readonly [first: number, last: number]

/** Yields the ranges of a map in format 12, which covers all of Unicode. */
function* rangesOfFullMap(table: DataView, map: number): Generator<CodeRange> {
  const count = table.getUint32(map + 12)
  for (let index = 0; index < count; index += 1) {
    const group = map + 16 + index * 12
    yield [table.getUint32(group), table.getUint32(group + 4)]
  }
}

/** Yields the ranges of a map in format 4, which covers the code points up to U+FFFF. */
function* rangesOfBasicMap(table: DataView, map: number): Generator<CodeRange> {
  const doubledCount = table.getUint16(map + 6)
  for (let at = 0; at < doubledCount; at += 2) {
    const last = table.getUint16(map + 14 + at)
    // The last segment is an end mark.
    if (last < 0xffff) yield [table.getUint16(map + 16 + doubledCount + at), last]
  }
}

function charactersIn(ranges: Iterable<CodeRange>): readonly string[] {
  const characters = new Set<string>()
  let examined = 0
  for (const [first, last] of ranges) {
    for (let code = first; code <= Math.min(last, 0x10_ffff); code += 1) {
      examined += 1
      if (characters.size === maxCharacters || examined > maxExaminedCodes) return [...characters]
      const character = String.fromCodePoint(code)
      if (!/[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Cn}]/u.test(character)) characters.add(character)
    }
  }
  return [...characters]
}
