import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { silentMp3 } from '../../../../../../test/kit/media.ts'
import { readTags } from './read-tags.ts'
import type { ReadPart } from '../../../../../shared/photos/read-part.ts'

const cover = Buffer.from('\u0089PNG\r\nthe cover\0\u00ff\0', 'latin1')

const readerOf =
  (file: Uint8Array): ReadPart =>
  (offset, length) =>
    Promise.resolve(new Uint8Array(file.subarray(offset, offset + length)))
const tagsOf = async (file: Uint8Array) => {
  const { cover: bytes, ...texts } = await readTags(readerOf(file))
  return { ...texts, cover: bytes === null ? null : Buffer.from(bytes) }
}

const text = (content: string): Buffer => Buffer.from(content, 'latin1')
const big = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const little = (value: number): Buffer => Buffer.from(big(value)).reverse()
const sevenBits = (value: number): Buffer =>
  Buffer.from([value >> 21, value >> 14, value >> 7, value].map((bits) => bits & 0x7f))

const comments = (...lines: readonly string[]): Buffer =>
  Buffer.concat([
    little(3),
    text('lib'),
    little(lines.length),
    ...lines.flatMap((line) => [little(Buffer.byteLength(line)), Buffer.from(line)]),
  ])
const pictureBlock = Buffer.concat([
  big(3),
  big(9),
  text('image/png'),
  big(0),
  Buffer.alloc(16),
  big(cover.length),
  cover,
])

const id3 = (version: number, frames: Buffer, flags = 0): Buffer =>
  Buffer.concat([
    text('ID3'),
    Buffer.from([version, 0, flags]),
    sevenBits(frames.length),
    frames,
    text('sound'),
  ])

const flacBlock = (kind: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([kind]), big(content.length).subarray(1), content])
const flac = Buffer.concat([
  text('fLaC'),
  flacBlock(0, Buffer.alloc(34)),
  flacBlock(4, comments('TITLE=Blüten', 'artist=Ärzte', 'ALBUM=Größe')),
  flacBlock(6, pictureBlock),
  flacBlock(0x81, Buffer.alloc(100)),
  text('sound'),
])

const oggPage = (packets: readonly Buffer[]): Buffer => {
  const lengths = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ])
  return Buffer.concat([
    text('OggS'),
    Buffer.alloc(22),
    Buffer.from([lengths.length, ...lengths]),
    ...packets,
  ])
}
const opusComments = Buffer.concat([
  text('OpusTags'),
  comments(
    'title=Blüten',
    'artist=Ärzte',
    'album=Größe',
    `METADATA_BLOCK_PICTURE=${pictureBlock.toString('base64')}`,
  ),
  Buffer.alloc(300),
])
const ogg = Buffer.concat([oggPage([text('OpusHead and so on')]), oggPage([opusComments, text('sound')])])

const box = (name: string, ...content: readonly Buffer[]): Buffer => {
  const inside = Buffer.concat(content)
  return Buffer.concat([big(inside.length + 8), text(name), inside])
}
const value = (content: Buffer): Buffer => box('data', Buffer.alloc(8), content)
const m4a = Buffer.concat([
  box('ftyp', text('M4A ')),
  box('mdat', Buffer.alloc(5000)),
  box(
    'moov',
    box('mvhd', Buffer.alloc(100)),
    box(
      'udta',
      box(
        'meta',
        Buffer.alloc(4),
        box('hdlr', Buffer.alloc(20)),
        box(
          'ilst',
          box('\u00a9nam', value(Buffer.from('Blüten'))),
          box('\u00a9ART', value(Buffer.from('Ärzte'))),
          box('\u00a9alb', value(Buffer.from('Größe'))),
          box('covr', value(cover)),
        ),
      ),
    ),
  ),
])

const expected = { title: 'Blüten', artist: 'Ärzte', album: 'Größe', cover }

test.each([
  ['FLAC', flac],
  ['Opus', ogg],
  ['MP4 with its description after the sound', m4a],
  [
    'ID3 2.2',
    id3(
      2,
      Buffer.concat([
        ...['TT2\0\0\u0007\0Bl\u00fcten', 'TP1\0\0\u0006\0\u00c4rzte', 'TAL\0\0\u0006\0Gr\u00f6\u00dfe'].map(
          text,
        ),
        text('PIC\0\0'),
        Buffer.from([6 + cover.length]),
        text('\0PNG\u0003\0'),
        cover,
      ]),
    ),
  ],
  [
    'ID3 2.4 with lengths and hidden synchronisation marks',
    id3(
      4,
      Buffer.concat([
        ...[
          ['TIT2', 'Blüten'],
          ['TPE1', 'Ärzte\0Zweite'],
          ['TALB', 'Größe'],
        ].flatMap(([id = '', content = '']) => {
          const bytes = Buffer.concat([Buffer.from([3]), Buffer.from(content)])
          return [text(id), sevenBits(bytes.length), Buffer.alloc(2), bytes]
        }),
        text('APIC'),
        sevenBits(4 + 14 + cover.length + 1),
        Buffer.from([0, 3]),
        big(14 + cover.length),
        text('\u0003image/png\0\u0003x\0'),
        text(cover.toString('latin1').replace('\u00ff\0', '\u00ff\0\0')),
      ]),
    ),
  ],
])('%s: the texts and the cover are read', async (_, file) => {
  expect(await tagsOf(file)).toEqual(expected)
})

test('ID3 2.3: texts in UTF-16 and a cover are read', async () => {
  expect(await tagsOf(silentMp3(0.1, { title: 'Sól', artist: 'Ásgerður 😀', cover }))).toEqual({
    title: 'Sól',
    artist: 'Ásgerður 😀',
    album: null,
    cover,
  })
})

test('a file without tags has none', async () => {
  expect(await tagsOf(silentMp3(0.1))).toEqual({ title: null, artist: null, album: null, cover: null })
})

test('a cover that is cut off is not shown', async () => {
  const whole = silentMp3(0, { title: 'Sól', artist: 'Á', cover })
  expect(await tagsOf(whole.subarray(0, -4))).toEqual({ title: 'Sól', artist: 'Á', album: null, cover: null })
})

test('damaged files end without a long search', async () => {
  const samples = [flac, ogg, m4a, silentMp3(0.1, { title: 'a', artist: 'b', cover })]
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 12 }),
      async (sample, changes) => {
        const file = Buffer.from(sample)
        for (const [at, byte] of changes) if (at >= 4) file[at % file.length] = byte
        let reads = 0
        const read = readerOf(file)
        await readTags((offset, length) => {
          reads += 1
          return read(offset, length)
        })
        expect(reads).toBeLessThan(1000)
      },
    ),
  )
})
