import type { Bytes } from '../../../../../shared/photos/read-part.ts'
import { type BitReader, createBitReader } from './bit-reader.ts'
import { buildFaxTables, faxModes, type FaxTables, maxCodeBits, verticalShifts } from './fax-codes.ts'

/**
 * The format in which the rows of a fax are stored: each row by its runs, without marks between rows (`runs`) or with
 * them (`group3`), each row by its runs or by the row above it (`group3-mixed`), or all rows by the row above them
 * (`group4`).
 */
export type FaxKind = 'runs' | 'group3' | 'group3-mixed' | 'group4'

/** The way in which the rows are stored, and the number of pixels of a row. */
type FaxLayout = { readonly kind: FaxKind; readonly width: number }

/** The places in a row where the colour changes, from white to black first. */
type ColourChanges = Int32Array

type FaxDecoder = {
  readonly bits: BitReader
  readonly tables: FaxTables
  readonly width: number
  /** The changes of the row above. After the last one, all elements are the width. */
  above: ColourChanges
  current: ColourChanges
}

/**
 * Decompresses the black and white pixels of a fax (ITU-T T.4 and T.6). A 1 is a black pixel. Rows after a damaged one
 * stay white when they depend on it.
 */
export function decodeFax(source: Bytes, target: Bytes, { kind, width }: FaxLayout): void {
  const rowBytes = Math.ceil(width / 8)
  const decoder: FaxDecoder = {
    bits: createBitReader(source),
    tables: buildFaxTables(),
    width,
    // A row has at most one change at each pixel, and one at its end.
    above: new Int32Array(width + 2).fill(width),
    current: new Int32Array(width + 2),
  }
  for (let start = 0; start + rowBytes <= target.length && !decoder.bits.isAtEnd(); start += rowBytes) {
    const isByRuns = beginRow(decoder, kind)
    const count = isByRuns ? readRuns(decoder) : readByRowAbove(decoder)
    if (count === null && kind === 'group4') return
    decoder.current.fill(width, count ?? 0)
    drawRow(target.subarray(start, start + rowBytes), decoder.current, width)
    const { above, current } = decoder
    decoder.above = current
    decoder.current = above
  }
}

/** Goes to the first code of a row. Returns true when the row is stored by its runs. */
function beginRow({ bits }: FaxDecoder, kind: FaxKind): boolean {
  if (kind === 'group4') return false
  if (kind === 'runs') {
    bits.skipToByte()
    return true
  }
  // The mark at the start of a row consists of at least eleven zeros and a one. Some programs leave the mark out.
  if (bits.peek(11) !== 0) return kind === 'group3'
  while (bits.peek(1) === 0 && !bits.isAtEnd()) bits.skip(1)
  bits.skip(1)
  if (kind === 'group3') return true
  const isByRuns = bits.peek(1) === 1
  bits.skip(1)
  return isByRuns
}

/** Reads a row that is stored by its runs. Returns the number of its changes, or null for a damaged row. */
function readRuns(decoder: FaxDecoder): number | null {
  const { width, current } = decoder
  let count = 0
  let at = 0
  while (at < width) {
    const run = readRun(decoder, count % 2 === 1)
    if (run === null) {
      toNextMark(decoder)
      return count
    }
    at = Math.min(width, at + run)
    count = withChange(current, count, at)
  }
  return count
}

/**
 * Adds a change to a row, and returns the number of its changes. An empty run removes the change before it, so that
 * the positions of the changes always increase.
 */
function withChange(changes: ColourChanges, count: number, at: number): number {
  if (count > 0 && changes[count - 1] === at) return count - 1
  changes[count] = at
  return count + 1
}

/** Reads the length of a run in pixels, which consists of several codes when the run is long. Null for damaged content. */
function readRun({ bits, tables, width }: FaxDecoder, isBlack: boolean): number | null {
  const table = isBlack ? tables.black : tables.white
  for (let length = 0; length <= width;) {
    const entry = table[bits.peek(maxCodeBits)] ?? 0
    if (entry === 0) return null
    bits.skip(entry & 15)
    const pixels = entry >> 4
    length += pixels
    if (pixels < 64) return length
    if (bits.isAtEnd()) return null
  }
  return width
}

/** After damage, the next row that can be read begins at the next mark. */
function toNextMark({ bits }: FaxDecoder): void {
  while (bits.peek(11) !== 0 && !bits.isAtEnd()) bits.skip(1)
}

/**
 * Reads a row that is stored by the changes of the row above it. Returns the number of its changes, or null at the end of
 * the content and for damaged content.
 */
function readByRowAbove(decoder: FaxDecoder): number | null {
  const { bits, tables, width, above, current } = decoder
  let count = 0
  let at = 0
  let isStart = true
  let index = 0
  while (at < width) {
    const isBlack = count % 2 === 1
    // The next change of the row above to the other colour: at the start of the row, it may be at the first pixel.
    while (index > 0 && (above[index - 1] ?? 0) > at) index -= 1
    while (
      (above[index] ?? width) < width &&
      (!isAfter(above[index] ?? 0, at, isStart) || index % 2 !== Number(isBlack))
    )
      index += 1
    const first = above[index] ?? width
    const entry = tables.modes[bits.peek(maxCodeBits)] ?? 0
    if (entry === 0) return null
    bits.skip(entry & 15)
    const mode = entry >> 4
    isStart = false
    if (mode === faxModes.pass) {
      at = above[index + 1] ?? width
      continue
    }
    if (mode === faxModes.horizontal) {
      const one = readRun(decoder, isBlack)
      const two = one === null ? null : readRun(decoder, !isBlack)
      if (one === null || two === null) return null
      count = withChange(current, count, Math.min(width, at + one))
      at = Math.min(width, at + one + two)
      count = withChange(current, count, at)
      continue
    }
    const next = first + (verticalShifts[mode - faxModes.vertical] ?? 0)
    if (next < at || next > width) return null
    at = next
    count = withChange(current, count, at)
  }
  return count
}

const isAfter = (change: number, at: number, isStart: boolean): boolean =>
  isStart ? change >= at : change > at

/** Draws the black pixels between each change to black and the next change to white. */
function drawRow(row: Bytes, changes: ColourChanges, width: number): void {
  for (let index = 0; (changes[index] ?? width) < width; index += 2)
    drawRun(row, changes[index] ?? width, changes[index + 1] ?? width)
}

function drawRun(row: Bytes, from: number, to: number): void {
  const first = from >> 3
  const last = to >> 3
  const head = 0xff >> (from & 7)
  const tail = ~(0xff >> (to & 7)) & 0xff
  if (first === last) {
    row[first] = (row[first] ?? 0) | (head & tail)
    return
  }
  row[first] = (row[first] ?? 0) | head
  row.fill(0xff, first + 1, last)
  if (last < row.length) row[last] = (row[last] ?? 0) | tail
}
