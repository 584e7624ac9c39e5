import type { ReadPart } from './read-part.ts'

/** A box of an ISO base media file (ISO/IEC 14496-12, section 4.2), by the place of its content in bytes. */
export type Box = { readonly name: string; readonly start: number; readonly end: number }

/** Limits for a file. Photos have fewer than 20 boxes on a level, and a description below 100 kB. */
const maxBoxes = 100
const maxMetaBytes = 4 * 1024 * 1024
const maxItems = 10_000

/**
 * Returns where the EXIF block of a HEIC, HEIF or AVIF image begins, in bytes, or null when it has none. The description of
 * the file (`meta`) lists its items (`iinf`) and their places (`iloc`): ISO/IEC 14496-12, section 8.11.
 */
export async function findHeifExif(read: ReadPart, sizeBytes: number): Promise<number | null> {
  const meta = await findMeta(read, sizeBytes)
  if (meta === null) return null
  const view = meta.view
  const boxes = boxesIn(view, 4, view.byteLength)
  const item = exifItemIn(view, boxes)
  const at = item === null ? null : placeOf(view, boxes, item)
  if (at === null || at + 4 > sizeBytes) return null
  const head = await read(at, 4)
  if (head.length < 4) return null
  // The item begins with the number of bytes before the block.
  const skipped = new DataView(head.buffer, head.byteOffset, 4).getUint32(0)
  return at + 4 + skipped < sizeBytes ? at + 4 + skipped : null
}

/** Reads the description of an image (`meta`), whose boxes begin at its fourth byte. Returns null for a file without one. */
export async function findMeta(
  read: ReadPart,
  sizeBytes: number,
): Promise<{ readonly view: DataView } | null> {
  let at = 0
  for (let boxes = 0; boxes < maxBoxes && at + 8 <= sizeBytes; boxes += 1) {
    const head = await read(at, 8)
    if (head.length < 8) return null
    const view = new DataView(head.buffer, head.byteOffset, 8)
    const length = view.getUint32(0)
    if (nameAt(view, 4) === 'meta') {
      const bytes = length >= 12 && length <= maxMetaBytes ? await read(at + 8, length - 8) : null
      return bytes === null ? null : { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) }
    }
    if (length < 8) return null
    at += length
  }
  return null
}

/** Returns the boxes in a part of a description. Those after a damaged one are left out. */
export function boxesIn(view: DataView, start: number, end: number): readonly Box[] {
  const boxes: Box[] = []
  for (let at = start; at + 8 <= end && boxes.length < maxItems;) {
    const length = view.getUint32(at)
    if (length < 8 || at + length > end) break
    boxes.push({ name: nameAt(view, at + 4), start: at + 8, end: at + length })
    at += length
  }
  return boxes
}

/** Returns the id of the item of the type `Exif`. Only entries of version 2 are read, which all cameras write. */
function exifItemIn(view: DataView, boxes: readonly Box[]): number | null {
  const list = boxes.find(({ name }) => name === 'iinf')
  if (list === undefined || list.end - list.start < 6) return null
  const first = list.start + (view.getUint8(list.start) === 0 ? 6 : 8)
  for (const { start, end } of boxesIn(view, first, list.end)) {
    const isReadable = end - start >= 12 && view.getUint8(start) === 2
    if (isReadable && nameAt(view, start + 8) === 'Exif') return view.getUint16(start + 4)
  }
  return null
}

/** Reads whole numbers of a changing size one after the other. */
export type NumberReader = { readonly next: (bytes: number) => number; readonly isAtEnd: () => boolean }

/** Creates a reader of the numbers in a part of a description. After its end, numbers are 0. */
export function numbersFrom(view: DataView, start: number, end: number): NumberReader {
  let at = start
  return {
    next: (bytes) => {
      let value = 0
      for (let index = 0; index < bytes; index += 1)
        value = value * 256 + (at + index < end ? view.getUint8(at + index) : 0)
      at += bytes
      return value
    },
    isAtEnd: () => at >= end,
  }
}

/** Returns where an item begins in the file, or null when its place is stored in another way. */
function placeOf(view: DataView, boxes: readonly Box[], wanted: number): number | null {
  const box = boxes.find(({ name }) => name === 'iloc')
  if (box === undefined) return null
  const { next, isAtEnd } = numbersFrom(view, box.start, box.end)
  const version = next(1)
  next(3)
  const sizes = next(2)
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [12, 8, 4, 0].map(
    (shift) => (sizes >> shift) & 15,
  )
  const count = next(version < 2 ? 2 : 4)
  for (let items = 0; items < Math.min(count, maxItems) && !isAtEnd(); items += 1) {
    const id = next(version < 2 ? 2 : 4)
    const method = version === 0 ? 0 : next(2) & 15
    next(2)
    const base = next(baseBytes ?? 0)
    const extents = next(2)
    for (let extent = 0; extent < extents && !isAtEnd(); extent += 1) {
      if (version > 0) next(indexBytes ?? 0)
      const offset = next(offsetBytes ?? 0)
      next(lengthBytes ?? 0)
      if (id === wanted) return method === 0 && extents === 1 ? base + offset : null
    }
  }
  return null
}

/** Returns the name of a box or chunk, which has four letters and begins at a byte. */
export const nameAt = (view: DataView, at: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(at + index)))
