import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { findProgram } from '../../src/server/programs/find-program.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** The programs with which a server draws pictures of files. Tests that need a missing program are skipped. */
export const drawingPrograms = {
  ffmpeg: await findProgram('ffmpeg'),
  pdftoppm: await findProgram('pdftoppm'),
  /** Makes the HEIC images of tests. It is in the same package as the program that reads them. */
  heifEncoder: await findProgram('heif-enc'),
}

/**
 * Makes a video with ffmpeg: half a second of white, and then a colour, with sound. The index of an MP4 file is at its end.
 */
export function makeVideo(name: string, { lengthS = 10, size = '320x180', colour = 'red' } = {}): string {
  const file = path.join(temporaryFolder(), name)
  const source = `color=${colour}:size=${size}:rate=10:duration=${lengthS}`
  const white = "drawbox=color=white:t=fill:enable='lt(t,0.5)'"
  const codecs = '-c:v mpeg4 -q:v 2 -c:a aac -g 10'.split(' ')
  const inputs = ['-f', 'lavfi', '-i', `${source},${white}`, '-f', 'lavfi', '-i', `sine=duration=${lengthS}`]
  execFileSync(drawingPrograms.ffmpeg ?? 'ffmpeg', [
    '-loglevel',
    'error',
    ...inputs,
    ...codecs,
    `file:${file}`,
  ])
  return file
}

/** Makes a video or audio file with the codecs that these options of ffmpeg name. Every 25th picture is complete. */
export function makeMedia(
  name: string,
  codecs: string,
  { lengthS = 25, folder = temporaryFolder() } = {},
): string {
  const file = path.join(folder, name)
  const video = codecs.includes('-c:v') ? `-f lavfi -i testsrc=size=64x36:rate=10:duration=${lengthS}` : ''
  const sound = codecs.includes('-c:a') ? `-f lavfi -i sine=duration=${lengthS}` : ''
  const words = `-loglevel error ${video} ${sound} ${codecs} -g 25 -pix_fmt yuv420p`
  execFileSync(drawingPrograms.ffmpeg ?? 'ffmpeg', [...words.split(' ').filter(Boolean), `file:${file}`])
  return file
}

/** Makes a HEIC image of a JPEG or PNG image. */
export function makeHeic(image: string): string {
  const file = path.join(temporaryFolder(), 'image.heic')
  execFileSync(drawingPrograms.heifEncoder ?? 'heif-enc', [image, '-o', file])
  return file
}

type RawOptions = {
  readonly jpeg: Uint8Array
  readonly orientation?: number
  readonly isBigEndian?: boolean
  /** The number after the byte order: 42 for most cameras, 0x55 for Panasonic. */
  readonly magic?: number
  /** The place of the JPEG image: a directory below the first one, the strip of the first one, or a tag of Panasonic. */
  readonly place?: 'sub-directory' | 'strip' | 'raw-tag'
  /** The address of the directory below the first one and of the next one, instead of the right one. */
  readonly nextDirectory?: number
  /** The address of the JPEG image, instead of the right one. */
  readonly jpegStart?: number
}

/** Makes a camera RAW file that contains nothing but a JPEG preview and the directories that lead to it. */
export function makeRaw({ jpeg, orientation = 1, isBigEndian = false, ...options }: RawOptions): Buffer {
  const { magic = 42, place = 'sub-directory' } = options
  const subAt = 100
  const next = options.nextDirectory ?? subAt
  const jpegAt = options.jpegStart ?? 200
  const file = Buffer.concat([Buffer.alloc(200), jpeg])
  const short = (value: number, at: number): unknown =>
    isBigEndian ? file.writeUInt16BE(value, at) : file.writeUInt16LE(value, at)
  const long = (value: number, at: number): unknown =>
    isBigEndian ? file.writeUInt32BE(value, at) : file.writeUInt32LE(value, at)
  const directory = (
    start: number,
    entries: readonly (readonly [number, number, number, number])[],
  ): void => {
    short(entries.length, start)
    for (const [index, [tag, type, count, value]] of entries.entries()) {
      const at = start + 2 + index * 12
      short(tag, at)
      short(type, at + 2)
      long(count, at + 4)
      if (type === 3) short(value, at + 8)
      else long(value, at + 8)
    }
    long(next === subAt ? 0 : next, start + 2 + entries.length * 12)
  }
  file.write(isBigEndian ? 'MM' : 'II', 'latin1')
  short(magic, 2)
  long(8, 4)
  const places = {
    'sub-directory': [[0x014a, 4, 1, next]],
    strip: [
      [0x0103, 3, 1, 6],
      [0x0111, 4, 1, jpegAt],
      [0x0117, 4, 1, jpeg.length],
    ],
    'raw-tag': [[0x002e, 7, jpeg.length, jpegAt]],
  } as const
  directory(8, [[0x0112, 3, 1, orientation], ...places[place]])
  directory(subAt, [
    [0x0201, 4, 1, jpegAt],
    [0x0202, 4, 1, jpeg.length],
  ])
  return file
}

/** Makes a RAW file of Fujifilm, which contains nothing but a JPEG preview and the header that leads to it. */
export function makeRaf(jpeg: Uint8Array): Buffer {
  const header = Buffer.alloc(160)
  header.write('FUJIFILMCCD-RAW 0201', 'latin1')
  header.writeUInt32BE(header.length, 84)
  header.writeUInt32BE(jpeg.length, 88)
  return Buffer.concat([header, jpeg])
}
