import sharp from 'sharp'
import { makeEpub } from '../kit/epub.ts'
import type { FileTree } from '../kit/tree.ts'

const picture = { create: { width: 60, height: 40, channels: 3, background: '#3060a0' } } as const
const cutTiff = (await sharp(picture).tiff({ compression: 'lzw' }).toBuffer()).subarray(0, 200)
const cutModel = Buffer.alloc(84 + 50)
cutModel.writeUInt32LE(1000, 80)

/** Files whose content is the reason why they cannot be shown. */
export const damagedFiles: FileTree = {
  'text.stl': 'no model',
  'cut.stl': cutModel,
  'text.obj': 'no model',
  'text.gltf': '{"asset"',
  'value.gltf': 'null',
  'wrong.gltf': '{"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [7]}]}',
  'text.tif': 'no picture',
  'cut.tif': cutTiff,
  'text.mp3': 'no sound',
  'zeros.flac': Buffer.concat([Buffer.from('fLaC'), Buffer.alloc(1000)]),
  'unfinished.mp4': Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom\0\0\x10\0mdat and no more', 'latin1'),
}

/** Files that cannot be shown for a reason outside of their content. */
export const unsupportedFiles: FileTree = {
  'old.gltf': '{"asset": {"version": "1.0"}}',
  'beside.gltf': '{"asset": {"version": "2.0"}, "buffers": [{"uri": "missing.bin", "byteLength": 4}]}',
}

/** A drawing of ten levels, of which each copies the one below ten times. */
const copies = Array.from(
  { length: 10 },
  (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
)
const patterns = copies
  .join('')
  .replaceAll(/<(\/?)g/g, '<$1pattern')
  .replaceAll(/<use href="(#a\d)"\/>/g, '<rect fill="url($1)"/>')
const svgStart = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">'
const wideRow = (text: string): string => `|${`${text}|`.repeat(100_000)}\n`

/** Documents, drawings and a chapter that stopped the page when they were opened. */
export const hostileFiles: FileTree = {
  'words.md': '_a.'.repeat(50_000),
  'columns.md': wideRow('a') + wideRow('-') + wideRow('b'),
  'quotes.md': '>'.repeat(20_000),
  'tags.md': `<p>${'<b>'.repeat(600_000)}`,
  'paragraphs.html': '<b><p>'.repeat(300_000),
  'directions.html': `<p>${'a\u0627'.repeat(300_000)}`,
  'copies.svg': `${svgStart}<g id="a0"><rect/></g>${copies.join('')}</svg>`,
  'patterns.svg': `${svgStart}${patterns}<rect fill="url(#a10)"/></svg>`,
  'columns.epub': makeEpub({
    chapters: { '1.xhtml': `<table><tr>${'<td>x</td>'.repeat(40_000)}</tr></table>` },
  }),
  'direction marks.md': 'a\u200F'.repeat(100_000),
  'marks.html': `<p>a${'\u0301'.repeat(100_000)}`,
  'marks.svg': `${svgStart}<text y="20">a${'\u0301'.repeat(100_000)}</text></svg>`,
}
