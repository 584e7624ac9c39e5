import { splitName } from '../../../shared/domain/names.ts'
import type { ViewedFile } from './viewer.ts'

/** The number of bytes that are enough to recognize a format. */
const startBytes = 16

/**
 * The first bytes of a JPEG, PNG or other usual image that may be damaged: any but those of HEIC and AVIF images, which
 * phones sometimes save under the name of a JPEG.
 */
const usualImage = /^(?!.{4}ftyp)/s
const isoMedia = /^(?!.{4}(?:ftyp|moov|mdat|free|skip|wide|pnot))/s
const matroska = /^(?!\x1aE\xdf\xa3)/
const ogg = /^(?!OggS)/

/**
 * The patterns for the first bytes of damaged files, by extension. A file that matches cannot be shown because of its
 * content, as every supported browser decodes the listed images. MP3 files may begin with anything, and are not listed.
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
}

/**
 * Returns true when a file that the browser could not show is damaged. Returns false when the browser may not know the
 * format, and when the file is empty or cannot be loaded now.
 */
export async function isDamaged({ name, address }: Pick<ViewedFile, 'name' | 'address'>): Promise<boolean> {
  const damagedStart = damagedStarts[splitName(name).extension.slice(1).toLowerCase()]
  if (damagedStart === undefined) return false
  try {
    const response = await fetch(address, { headers: { Range: `bytes=0-${startBytes - 1}` } })
    if (!response.ok) return false
    const bytes = await response.arrayBuffer()
    return (
      bytes.byteLength > 0 && damagedStart.test(new TextDecoder('latin1').decode(bytes.slice(0, startBytes)))
    )
  } catch {
    return false
  }
}
