import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { nameOfBytes } from '../../../../shared/domain/name-bytes.ts'
import { makeZip } from '../../../../../test/kit/zip.ts'
import type { PackedSource } from '../packed/packed-file.ts'
import { readZip } from './read-zip.ts'

const gibi = 1024 ** 3
const wrap = 2 ** 32

type Piece = { readonly start: number; readonly bytes: Uint8Array }

/** An archive of several GiB that exists as a few pieces. All bytes between the pieces are zero. */
const sourceOf = (pieces: readonly Piece[], sizeBytes: number): PackedSource => ({
  sizeBytes,
  async *bytes({ start, end }) {
    const chunkBytes = 1024 * 1024
    for (let at = start; at < end; at += chunkBytes) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, end - at))
      for (const piece of pieces) {
        const from = Math.max(at, piece.start)
        const to = Math.min(at + chunk.length, piece.start + piece.bytes.length)
        if (from < to) chunk.set(piece.bytes.subarray(from - piece.start, to - piece.start), from - at)
      }
      yield chunk
    }
  },
})

test('the positions and sizes of an archive of 9 GiB that contains only their lower 32 bits are completed', async () => {
  const names = ['first.txt', 'three', 'six', 'last.txt']
  const starts = [0, 100, 3 * gibi + 200, 9 * gibi + 300]
  const sizes = [5, 3 * gibi, 6 * gibi, 4]
  const texts: Readonly<Record<string, string>> = { 'first.txt': 'first', 'last.txt': 'last' }
  const members = names.map((name, index) => ({ name, content: texts[name] ?? '', isStored: true, index }))
  const parts = members.map((member) => {
    const archive = makeZip([member])
    const rowStart = archive.length - 22 - 46 - member.name.length
    const row = archive.subarray(rowStart, archive.length - 22)
    row.writeUInt32LE((starts[member.index] ?? 0) % wrap, 42)
    for (const at of [20, 24]) row.writeUInt32LE((sizes[member.index] ?? 0) % wrap, at)
    return { local: archive.subarray(0, rowStart), row }
  })
  const directoryStart = 9 * gibi + 1000
  const directory = Buffer.concat(parts.map(({ row }) => row))
  const end = makeZip([])
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(directoryStart % wrap, 16)
  const pieces = [
    ...parts.map(({ local }, index) => ({ start: starts[index] ?? 0, bytes: local })),
    { start: directoryStart, bytes: Buffer.concat([directory, end]) },
  ]
  const source = sourceOf(pieces, directoryStart + directory.length + end.length)
  const read: unknown[] = []
  for await (const { path, sizeBytes, bytes } of readZip(source, nameOfBytes)) {
    const isText = texts[path ?? ''] !== undefined
    let text = ''
    if (isText && bytes !== null) for await (const chunk of bytes()) text += Buffer.from(chunk).toString()
    read.push([path, sizeBytes, text])
  }
  expect(read).toEqual([
    ['first.txt', 5, 'first'],
    ['three', 3 * gibi, ''],
    ['six', 6 * gibi, ''],
    ['last.txt', 4, 'last'],
  ])
})

test('the name in the field for Unicode counts when its checksum is that of the plain name', async () => {
  const plain = Buffer.from('caf_.txt')
  const unicode = Buffer.from('café.txt')
  const field = (crc: number): Buffer => {
    const extra = Buffer.alloc(9)
    extra.writeUInt16LE(0x7075, 0)
    extra.writeUInt16LE(5 + unicode.length, 2)
    extra[4] = 1
    extra.writeUInt32LE(crc, 5)
    return Buffer.concat([extra, unicode])
  }
  const pathWith = async (extra: Buffer): Promise<string | null> => {
    const archive = makeZip([{ name: plain, content: 'x', isLegacyName: true, extra }])
    for await (const { path } of readZip(
      sourceOf([{ start: 0, bytes: archive }], archive.length),
      nameOfBytes,
    ))
      return path
    return null
  }
  expect(await pathWith(field(crc32(plain)))).toBe('café.txt')
  expect(await pathWith(field(1))).toBe('caf_.txt')
})
