import type { PreviewSize } from '../../shared/contract/previews.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { OpenFile, Storage } from '../storage/port.ts'
import type { PreviewFormat } from './conversion.ts'
import { openImage, previewFile } from './open-image.ts'
import type { PreviewMaker } from './make-preview.ts'
import type { PosterKind } from './poster-kind.ts'
import { previewVersion } from './preview-cache.ts'

export type PreviewOptions = {
  /** True when files without a known extension are recognized by their first bytes. */
  readonly sniffs: boolean
  /** True for each size in which previews are made. For the other sizes, the image itself is sent. */
  readonly isEnabled: Readonly<Record<PreviewSize, boolean>>
  readonly make: PreviewMaker
  /** The kinds of files of which this server draws pictures when a client asks for them. */
  readonly posters: ReadonlySet<PosterKind>
}

/** A picture that is wanted of a file. */
export type PreviewRequest = {
  readonly storage: Storage
  readonly path: Path
  /** The user or guest whose conversions are limited together. */
  readonly principal: string
  readonly size: PreviewSize
  /** The format of the preview. */
  readonly format: PreviewFormat
  /** True when a picture may be drawn of a file that is no image. */
  readonly drawsPoster: boolean
  /** True for a guest of a link, who never gets the file itself where no preview is made. */
  readonly isGuest: boolean
  /** Returns false when the client has the preview with this tag and the time of its file already. */
  readonly isNeeded: (validators: { readonly etag: string; readonly modifiedMs: number }) => boolean
  readonly signal: AbortSignal
}

/** A preview, or the file itself, whose `type` is null. */
export type ShownPreview = { readonly file: OpenFile; readonly type: string | null }

/**
 * Returns an image in the requested size (contract 6). When no preview is made, because of the image's format, an
 * animation or a disabled size, a user gets the file itself. A file of which a picture is drawn is never
 * returned instead of the picture. Throws `unsupported` otherwise.
 */
export async function showPreview(
  { sniffs, isEnabled, make, posters }: PreviewOptions,
  { storage, path, principal, size, format, drawsPoster, isGuest, isNeeded, signal }: PreviewRequest,
): Promise<ShownPreview> {
  const {
    file,
    method,
    format: imageFormat,
  } = await openImage(storage, path, {
    signal,
    sniffs,
    posters: drawsPoster ? posters : null,
    drawsHeic: posters.has('heic'),
  })
  const poster = method === 'convert' || method === 'send' ? null : method
  const unchanged = async (): Promise<ShownPreview> => {
    if (poster === null && !isGuest) return { file, type: null }
    await file.close()
    throw new AppError('unsupported')
  }
  // A GIF may be an animation, which is sent unchanged. The converter detects animations in other formats.
  if (method === 'send' || !isEnabled[size] || (size === 'big' && imageFormat === 'gif')) return unchanged()
  const preview = await closeOnError(file, async () => {
    const etag = `${file.entry.etag}-${size}-${format}-v${previewVersion}`
    const validators = { etag, modifiedMs: (file.entry.target ?? file.entry).modifiedMs }
    const bytes = isNeeded(validators)
      ? await make({ file, poster, size, format, principal, isGuest, signal })
      : noBytes
    return bytes === null ? null : previewFile(file.entry, format, { etag, bytes })
  })
  if (preview === null) return unchanged()
  await file.close()
  return { file: preview, type: `image/${format}` }
}

/**
 * The content of a preview that the client already has. The HTTP layer compares the same validators again and responds
 * with 304.
 */
const noBytes = Buffer.alloc(0)

/** Runs the work and returns its result. Closes the file when the work fails. */
async function closeOnError<T>(file: OpenFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await file.close()
    throw codeOf(error) === 'bad-range' ? new AppError('changed-meanwhile', { cause: error }) : error
  }
}
