import { readFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'

/** Returns the bytes of a TrueType font with Latin, Greek and Cyrillic letters. */
export const readTestFont = (): Buffer =>
  readFileSync(
    path.resolve(
      import.meta.dirname,
      '../../node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf',
    ),
  )

/** Converts a TrueType font to WOFF, which compresses each table. */
export function woffOf(font: Buffer): Buffer {
  const count = font.readUInt16BE(4)
  const header = Buffer.alloc(44 + count * 20)
  header.writeUInt32BE(0x774f4646, 0)
  font.copy(header, 4, 0, 4)
  header.writeUInt16BE(count, 12)
  header.writeUInt32BE(font.length, 16)
  const tables: Buffer[] = []
  let offset = header.length
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [12 + index * 16, 44 + index * 20]
    const start = font.readUInt32BE(from + 8)
    const table = font.subarray(start, start + font.readUInt32BE(from + 12))
    const deflated = deflateSync(table)
    const stored = deflated.length < table.length ? deflated : table
    font.copy(header, to, from, from + 4)
    header.writeUInt32BE(offset, to + 4)
    header.writeUInt32BE(stored.length, to + 8)
    header.writeUInt32BE(table.length, to + 12)
    font.copy(header, to + 16, from + 4, from + 8)
    const padded = Buffer.concat([stored, Buffer.alloc(-stored.length & 3)])
    tables.push(padded)
    offset += padded.length
  }
  header.writeUInt32BE(offset, 8)
  return Buffer.concat([header, ...tables])
}
