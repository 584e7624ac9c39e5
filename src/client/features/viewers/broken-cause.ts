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
const zip = /^(?!PK)/
const openType = /^(?!\0\x01\0\0|OTTO|true|ttcf)/

/**
 * The patterns for the first bytes of damaged files, by extension. A file that matches cannot be shown because of its
 * content, as every supported browser or the viewer decodes the listed formats. MP3 files may begin with anything, and are not listed.
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
  flac: /^(?!fLaC|ID3)/,
  wav: /^(?!RIFF|RF64|RIFX)/,
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
}: Pick<ViewedFile, 'name' | 'type' | 'address'>): Promise<BrokenCause | null> {
  const { stem, extension } = splitName(name)
  const damagedStart = damagedStarts[extension.slice(1).toLowerCase()]
  // The names of other images, such as RAW files, fit their content.
  const isRecognizable = isConvertibleImage(name, type)
  if (damagedStart === undefined && !isRecognizable) return null
  const head = await readHead(address).catch(() => null)
  if (head === null || head.byteLength === 0) return null
  const format = isRecognizable ? imageFormatOf(head) : null
  const isTiff = format === 'tiff'
  // Images of the other formats have the same viewer.
  if (format !== null && isTiff !== /^\.tiff?$/i.test(extension))
    return { kind: 'image', fittingName: isTiff ? `${stem}.tif` : `${stem}.jpg` }
  return damagedStart?.test(new TextDecoder('latin1').decode(head)) === true ? { kind: 'damaged' } : null
}

async function readHead(address: string): Promise<Uint8Array | null> {
  const response = await fetch(address, { headers: { Range: `bytes=0-${startBytes - 1}` } })
  return response.ok ? new Uint8Array(await response.arrayBuffer()).subarray(0, startBytes) : null
}
