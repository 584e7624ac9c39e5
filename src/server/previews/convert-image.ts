import type sharp from 'sharp'
import type { Metadata, Sharp } from 'sharp'
import {
  conversionLimits,
  type PreviewVariant,
  type ConversionRequest,
  type ConversionOutcome,
} from './conversion.ts'

/** The image library, which is loaded dynamically. */
export type ImageLibrary = typeof sharp

type ConvertedImage = { readonly kind: ConversionOutcome['kind']; readonly bytes: Buffer }

/**
 * The names of the libvips loaders that read images from memory, one for each format that is converted. All other
 * loaders are blocked, in particular the loaders for SVG and PDF.
 */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}Buffer`)

/** Restricts the image library to the allowed loaders, disables its cache and limits it to a single thread. */
export function restrictLibrary(library: ImageLibrary): void {
  library.cache(false)
  library.concurrency(1)
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: loaders })
}

/** Converts an image to a preview. The size that the header declares is checked before the image is decoded. */
export async function convertImage(
  library: ImageLibrary,
  source: Buffer,
  { size, format, crop, maxPixels }: Omit<ConversionRequest, 'processBytes'>,
): Promise<ConvertedImage> {
  const metadata = await library(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (metadata === null) return outcome('undecodable')
  if (metadata.width * metadata.height > maxPixels) return outcome('too-large')
  if (size === 'big' && isAnimation(metadata, source)) return outcome('as-is')
  const image = library(source, {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: maxPixels,
    sequentialRead: true,
  })
  const bytes = await encoded(format, resized(image, { size, crop }))
    .timeout({ seconds: Math.floor(conversionLimits.timeMs / 1000) })
    .toBuffer()
    .catch(() => null)
  return bytes === null ? outcome('undecodable') : { kind: 'made', bytes }
}

/**
 * Returns true for an animation. The pages of a TIFF are not frames, and the library does not see the frames of a PNG.
 */
const isAnimation = ({ format, pages = 1 }: Metadata, source: Buffer): boolean =>
  format === 'png' ? isAnimatedPng(source) : pages > 1 && format !== 'tiff'

/** The names of the chunks that begin an animation and the pixels, as numbers: `acTL` and `IDAT`. */
const animationChunk = 0x61_63_54_4c
const pixelChunk = 0x49_44_41_54

/** Returns true for a PNG with the chunk of animations, which comes before the pixels (PNG 3, section 11.3.6). */
function isAnimatedPng(source: Buffer): boolean {
  for (let at = 8; at + 8 <= source.length; at += 12 + source.readUInt32BE(at)) {
    const name = source.readUInt32BE(at + 4)
    if (name === animationChunk || name === pixelChunk) return name === animationChunk
  }
  return false
}

const outcome = (kind: ConversionOutcome['kind']): ConvertedImage => ({ kind, bytes: Buffer.alloc(0) })

type ResizeOptions = {
  readonly size: PreviewVariant['size']
  readonly crop: PreviewVariant['crop'] | undefined
}

/** The sides of the squares into which whole pictures fit, in pixels. */
const insideOf = { tile: 512, big: 1080 } as const

const resized = (image: Sharp, { size, crop }: ResizeOptions): Sharp =>
  size === 'thumb'
    ? image.resize(256, 256, { fit: 'cover', position: crop ?? 'centre' })
    : image.resize(insideOf[size], insideOf[size], { fit: 'inside', withoutEnlargement: true })

/** Encodes the image. JPEG has no transparency, so transparent areas become white. */
const encoded = (format: PreviewVariant['format'], image: Sharp): Sharp =>
  format === 'webp'
    ? image.webp({ quality: 80, effort: 2 })
    : image.flatten({ background: '#ffffff' }).jpeg({ quality: 85 })
