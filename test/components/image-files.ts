import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { animated, animatedPng, hugeJpeg, rotatedJpeg, twoColours } from '../kit/images.ts'
import { drawingPrograms, makeRaf, makeRaw } from '../kit/posters.ts'
import { makeTiff } from '../kit/tiff.ts'
import type { FileTree } from '../kit/tree.ts'

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
const pixels = Buffer.alloc(100)
const size = { 256: [10], 257: [10], 258: [8], 262: [1], 278: [10] }

/** Pictures that the page decodes itself, as TIFF and RAW. */
export async function decodedFiles(): Promise<FileTree> {
  const jpeg = await twoColours(600, 400).jpeg().toBuffer()
  const pages = ['#ff0000', '#00ff00'].map(async (colour) => plain(600, 400, colour).png().toBuffer())
  return {
    'pages #?&+.tif': await sharp(await Promise.all(pages), { join: { animated: true } })
      .tiff({ compression: 'lzw' })
      .toBuffer(),
    'photo.tiff': await twoColours(900, 600).tiff({ compression: 'jpeg', quality: 95 }).toBuffer(),
    'cut.tif': (await twoColours(900, 600).tiff({ compression: 'lzw' }).toBuffer()).subarray(0, 50),
    'loop.tif': makeTiff(
      [
        { fields: size, strips: [pixels] },
        { fields: size, strips: [pixels] },
      ],
      { loopsTo: 0 },
    ),
    'huge.tif': makeTiff([{ fields: { ...size, 256: [60_000], 257: [60_000] }, strips: [pixels] }]),
    'camera.cr2': makeRaw({ jpeg, orientation: 3 }),
    'd.dng': makeRaw({ jpeg }),
    'e.nef': makeRaw({ jpeg, orientation: 3 }),
    'f.arw': makeRaw({ jpeg }),
    'no preview.nef': makeTiff([{ fields: size }]),
  }
}

/** Pictures that the browser shows itself, and those of which the server draws a picture. */
export async function imageFiles(): Promise<FileTree> {
  const red = plain(300, 200, '#ff0000')
  const jpeg = await red.jpeg({ quality: 95 }).toBuffer()
  const photo = await twoColours(2400, 1800).jpeg().toBuffer()
  return {
    'animated.gif': await animated('gif'),
    'animated.png': animatedPng(),
    'animated.webp': await animated('webp'),
    'drawing.svg':
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><rect width="9" height="6" fill="#f00"/></svg>',
    'fuji.raf': makeRaf(jpeg),
    ...(drawingPrograms.heifEncoder === null ? {} : { 'phone.heic': heicOf(jpeg) }),
    'still.avif': await red.avif().toBuffer(),
    'huge.jpg': await hugeJpeg(12_000, 8_400),
    'portrait.jpg': await rotatedJpeg(2400, 1800),
    'photo.jpg': photo,
    'lost.jpg': photo,
  }
}

function heicOf(jpeg: Buffer): Buffer {
  const folder = mkdtempSync(path.join(tmpdir(), 'stowage-test-'))
  const [from, to] = ['image.jpg', 'image.heic'].map((name) => path.join(folder, name)) as [string, string]
  try {
    writeFileSync(from, jpeg)
    execFileSync(drawingPrograms.heifEncoder ?? 'heif-enc', [from, '-o', to])
    return readFileSync(to)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
