import { isConvertibleImage } from '../../../shared/domain/convertible-images.ts'
import { imageFormatOf } from '../../../shared/domain/file-kind.ts'
import { splitName } from '../../../shared/domain/names.ts'
import type { ViewedFile } from './viewer.ts'

/** The number of bytes that are enough to recognize a format, with the brands of a HEIC or AVIF image. */
const startBytes = 64

/**
 * The reason for which a file could not be shown: `damaged`, or `image` for a TIFF under the name of another image or the reverse,
 * with a name that fits the content.
 */
export type BrokenCause =
  | { readonly kind: 'damaged' }
  | { readonly kind: 'image'; readonly fittingName: string }

/**
 * The first bytes of a JPEG, PNG or other usual image that may be damaged: any but those of HEIC, AVIF and TIFF images, which
 * are sometimes saved under the name of a JPEG.
 */
const usualImage = /^(?!.{4}ftyp|II[*+]\0|MM\0[*+])/s
const isoMedia = /^(?!.{4}(?:ftyp|moov|mdat|free|skip|wide|pnot))/s
const matroska = /^(?!\x1aE\xdf\xa3)/
const ogg = /^(?!OggS)/
const sound = /^(?!0&\xb2u)/
const windowsMedia = sound
const tiff = /^(?!II[*+]\0|MM\0[*+])/
const zip = /^(?!PK)/
const openType = /^(?!\0\x01\0\0|OTTO|true|ttcf)/

/**
 * The patterns for the first bytes of damaged files, by extension. A file that matches cannot be shown because of its
 * content, as every supported browser or the viewer decodes the listed formats. MP3 and FLAC files may
 * begin with anything, and every browser plays them, so that only a file of Windows Media under their name is not damaged.
 */
const damagedStarts: Readonly<Record<string, RegExp>> = {
  jpg: usualImage,
  jpeg: usualImage,
  jfif: usualImage,
  png: usualImage,
  gif: usualImage,
  webp: usualImage,
  bmp: usualImage,
  ico: usualImage,
  tif: tiff,
  tiff,
  mp4: isoMedia,
  m4v: isoMedia,
  m4a: isoMedia,
  mov: isoMedia,
  webm: matroska,
  mkv: matroska,
  ogg,
  oga: ogg,
  ogv: ogg,
  opus: ogg,
  flac: sound,
  mp3: sound,
  wav: /^(?!RIFF|RF64|RIFX)/,
  avi: /^(?!RIFF)/,
  wma: windowsMedia,
  wmv: windowsMedia,
  asf: windowsMedia,
  flv: /^(?!FLV)/,
  epub: zip,
  cbz: zip,
  glb: /^(?!glTF)/,
  ttf: openType,
  otf: openType,
  woff: /^(?!wOFF)/,
  woff2: /^(?!wOF2)/,
}

/**
 * Returns why a file that the browser could not show is broken, by its first bytes. Returns null when the browser may not know
 * the format, and when the file is empty or cannot be loaded now.
 */
export async function brokenCauseOf({
  name,
  type,
  address,
  sizeBytes,
}: Pick<ViewedFile, 'name' | 'type' | 'address' | 'sizeBytes'>): Promise<BrokenCause | null> {
  const { stem, extension } = splitName(name)
  const damagedStart = damagedStarts[extension.slice(1).toLowerCase()]
  // The names of other images, such as RAW files, fit their content.
  const isRecognizable = isConvertibleImage(name, type)
  if (damagedStart === undefined && !isRecognizable) return null
  const head = await readBytes(address, 0, startBytes).catch(() => null)
  if (head === null || head.byteLength === 0) return null
  const format = isRecognizable ? imageFormatOf(head) : null
  const isTiff = format === 'tiff'
  // Images of the other formats have the same viewer.
  if (format !== null && isTiff !== /^\.tiff?$/i.test(extension))
    return { kind: 'image', fittingName: isTiff ? `${stem}.tif` : `${stem}.jpg` }
  const isDamaged =
    damagedStart?.test(new TextDecoder('latin1').decode(head)) === true ||
    (damagedStart === isoMedia && (await hasNoContents(address, sizeBytes).catch(() => false)))
  return isDamaged ? { kind: 'damaged' } : null
}

/** The largest number of boxes of a video that are examined, and the length of the longest head of a box, in bytes. */
const [maxBoxes, boxHeadBytes] = [50, 16]

/**
 * Returns true for a video in the format of MP4 or QuickTime whose table of contents is missing. Cameras and programs write it
 * at the end, so that a recording or an upload that was broken off has none.
 */
async function hasNoContents(address: string, sizeBytes: number): Promise<boolean> {
  let start = 0
  for (let count = 0; count < maxBoxes && start < sizeBytes; count += 1) {
    const head = await readBytes(address, start, boxHeadBytes)
    if (head === null) return false
    if (head.length < boxHeadBytes) return true
    const view = new DataView(head.buffer, head.byteOffset)
    if (new TextDecoder('latin1').decode(head.subarray(4, 8)) === 'moov') return false
    const size = view.getUint32(0)
    // A length of 1 stands for one of 64 bits, and a length of 0 for the rest of the file.
    const length = size === 1 ? Number(view.getBigUint64(8)) : size === 0 ? sizeBytes - start : size
    if (length < 8) return true
    start += length
  }
  return start >= sizeBytes
}

async function readBytes(address: string, start: number, count: number): Promise<Uint8Array | null> {
  const response = await fetch(address, { headers: { Range: `bytes=${start}-${start + count - 1}` } })
  return response.ok ? new Uint8Array(await response.arrayBuffer()).subarray(0, count) : null
}
