import type sharp from 'sharp'
import type { Sharp } from 'sharp'
import { conversionLimits, type Conversion, type Order, type Outcome } from './conversion.ts'

/** What this file uses of the image library. */
export type ImageLibrary = typeof sharp

type Converted = { readonly kind: Outcome['kind']; readonly bytes: Buffer }

/** Loaders for the formats that are converted, from memory; every other one is blocked, those of SVG and PDF first of all. */
const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif', 'Tiff'].map((name) => `VipsForeignLoad${name}Buffer`)

/** Lets the library read what is on the list and nothing else, keep nothing, and use one processor. */
export function tame(library: ImageLibrary): void {
  library.cache(false)
  library.concurrency(1)
  library.block({ operation: ['VipsForeignLoad'] })
  library.unblock({ operation: loaders })
}

/** Makes a preview of an image; what it says of itself is judged before any of it is decoded. */
export async function convertImage(
  library: ImageLibrary,
  source: Buffer,
  { size, format, mostPixels }: Omit<Order, 'processBytes'>,
): Promise<Converted> {
  const facts = await library(source, { limitInputPixels: false })
    .metadata()
    .catch(() => null)
  if (facts === null) return outcome('undecodable')
  if (facts.width * facts.height > mostPixels) return outcome('too-large')
  if (size === 'big' && (facts.pages ?? 1) > 1 && facts.format !== 'tiff') return outcome('as-is')
  const image = library(source, {
    autoOrient: true,
    failOn: 'error',
    limitInputPixels: mostPixels,
    sequentialRead: true,
  })
  const bytes = await as(format, resized(image, size))
    .timeout({ seconds: Math.floor(conversionLimits.timeMs / 1000) })
    .toBuffer()
    .catch(() => null)
  return bytes === null ? outcome('undecodable') : { kind: 'made', bytes }
}

const outcome = (kind: Outcome['kind']): Converted => ({ kind, bytes: Buffer.alloc(0) })

const resized = (image: Sharp, size: Conversion['size']): Sharp =>
  size === 'thumb'
    ? image.resize(256, 256, { fit: 'cover' })
    : image.resize(1080, 1080, { fit: 'inside', withoutEnlargement: true })

/** JPEG knows no transparency: what shines through is white there. */
const as = (format: Conversion['format'], image: Sharp): Sharp =>
  format === 'webp'
    ? image.webp({ quality: 80, effort: 2 })
    : image.flatten({ background: '#ffffff' }).jpeg({ quality: 85 })
