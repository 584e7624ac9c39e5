import { boxesIn, findMeta, numbersFrom, type Box } from './heif-exif.ts'
import type { ImageSize } from './image-size.ts'
import type { ReadPart } from './read-part.ts'

/** Maximum number of items whose properties are looked at. A photo of a phone has about 60 tiles. */
const maxItems = 1000

/**
 * Returns the size in which a HEIC, HEIF or AVIF image is shown, or null when the file does not say so. The properties of the primary item
 * (`pitm`, `ipma`) are its size (`ispe`) and the quarters by which it is turned (`irot`): ISO/IEC 23008-12, sections 6.5 and 9.3.
 */
export async function readHeifSize(read: ReadPart, sizeBytes: number): Promise<ImageSize | null> {
  const meta = await findMeta(read, sizeBytes)
  if (meta === null) return null
  const { view } = meta
  const boxes = boxesIn(view, 4, view.byteLength)
  const primary = primaryItemIn(view, boxes)
  const properties = boxes.find(({ name }) => name === 'iprp')
  if (primary === null || properties === undefined) return null
  const inside = boxesIn(view, properties.start, properties.end)
  const container = inside.find(({ name }) => name === 'ipco')
  const association = inside.find(({ name }) => name === 'ipma')
  if (container === undefined || association === undefined) return null
  const all = boxesIn(view, container.start, container.end)
  const own = propertiesOf(view, association, primary).flatMap((number) => all[number - 1] ?? [])
  const extent = own.find(({ name, start, end }) => name === 'ispe' && end - start >= 12)
  if (extent === undefined) return null
  const size = { width: view.getUint32(extent.start + 4), height: view.getUint32(extent.start + 8) }
  const isTurned = own.some(
    ({ name, start, end }) => name === 'irot' && end > start && (view.getUint8(start) & 1) === 1,
  )
  return isTurned ? { width: size.height, height: size.width } : size
}

function primaryItemIn(view: DataView, boxes: readonly Box[]): number | null {
  const box = boxes.find(({ name }) => name === 'pitm')
  if (box === undefined) return null
  const { next } = numbersFrom(view, box.start, box.end)
  const version = next(1)
  next(3)
  return next(version === 0 ? 2 : 4)
}

/** Returns the numbers of the properties of an item, counted from 1. */
function propertiesOf(view: DataView, { start, end }: Box, wanted: number): readonly number[] {
  const { next, isAtEnd } = numbersFrom(view, start, end)
  const version = next(1)
  const hasLongNumbers = (next(3) & 1) === 1
  const count = next(4)
  for (let items = 0; items < Math.min(count, maxItems) && !isAtEnd(); items += 1) {
    const id = next(version < 1 ? 2 : 4)
    const numbers = Array.from({ length: next(1) }, () =>
      hasLongNumbers ? next(2) & 0x7fff : next(1) & 0x7f,
    )
    if (id === wanted) return numbers
  }
  return []
}
