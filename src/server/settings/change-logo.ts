import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Logo, SettingsStore } from '../records/settings.ts'

export type ChangeLogoDependencies = {
  readonly settings: Pick<SettingsStore, 'logo' | 'setLogo'>
  /** Called after the logo was stored and before the change is confirmed. */
  readonly onChange: () => Promise<void>
}

/** Stores a picture as the logo of the installation. Throws `wrong-media-type` for anything but PNG, WebP and SVG. */
export async function storeLogo(
  { settings, onChange }: ChangeLogoDependencies,
  picture: AsyncIterable<Uint8Array>,
): Promise<void> {
  const bytes = await readPicture(picture)
  const type = typeOfPicture(bytes)
  if (type === null)
    throw new AppError('wrong-media-type', { reason: 'a logo is a PNG, WebP or SVG picture' })
  await settings.setLogo({ type, base64: bytes.toString('base64') })
  await onChange()
}

/** Removes the uploaded logo, so that the one of the branding folder or our own is shown again. */
export async function removeLogo({ settings, onChange }: ChangeLogoDependencies): Promise<void> {
  await settings.setLogo(null)
  await onChange()
}

async function readPicture(picture: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of picture) {
    sizeBytes += chunk.length
    if (sizeBytes > limits.logoBytes) throw new AppError('too-large')
    // The buffer of a chunk belongs to the body again at the next one.
    chunks.push(Uint8Array.from(chunk))
  }
  return Buffer.concat(chunks)
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/**
 * Returns the type of a picture by its content. An SVG is sent with a policy that lets it run nothing and load nothing, like each SVG
 * of the branding folder, so that its content is not changed.
 */
function typeOfPicture(bytes: Buffer): Logo['type'] | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png'
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp'
  return isSvg(bytes) ? 'image/svg+xml' : null
}

const declaration = /\s*<\?xml[^>]*\?>/iy
/** Matches a part that may stand before the first element: blanks, a comment, or a document type without definitions. */
const partBeforeElement = /\s+|<!--[\s\S]*?-->|<!DOCTYPE\s[^>[]*>/iy
const svgElement = /<svg[\s>]/iy

/**
 * Returns true for a text whose first element is `svg`, after a declaration, comments and a document type. Each part is matched
 * once, where the part before it ends, because one expression for all parts would try each way to divide a text into them.
 */
function isSvg(bytes: Buffer): boolean {
  const text = bytes.toString('utf8', 0, 64 * 1024)
  let position = 0
  const skip = (part: RegExp): boolean => {
    part.lastIndex = position
    const isFound = part.test(text)
    if (isFound) position = part.lastIndex
    return isFound
  }
  skip(declaration)
  let isBeforeElement = true
  while (isBeforeElement) isBeforeElement = skip(partBeforeElement)
  return skip(svgElement)
}
