import { previewSizes, type getPreview, type PreviewSize } from '../../shared/contract/previews.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { evaluatePreconditions } from '../http/response/preconditions.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { OpenFile } from '../storage/port.ts'
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

type PreviewRequest = OperationRequest<typeof getPreview>

/**
 * Responds with an image in the requested size (contract 6). When no preview is made, because of the image's format, an
 * animation or a disabled size, the image file is sent like a download. A file of which a picture is drawn is never sent
 * instead of the picture.
 */
export async function showPreview(
  { sniffs, isEnabled, make, posters }: PreviewOptions,
  request: PreviewRequest,
): Promise<RouteResponse> {
  const { caller, path, signal, query, header } = request
  const size = sizeOf(request.params.size)
  const {
    file,
    method,
    format: imageFormat,
  } = await openImage(caller.storage, path, {
    signal,
    sniffs,
    posters: query.poster === 'true' ? posters : null,
    drawsHeic: posters.has('heic'),
  })
  const poster = method === 'convert' || method === 'send' ? null : method
  const isInline = query.inline === 'true'
  const sendUnchanged = async (): Promise<RouteResponse> => {
    if (poster === null) return { kind: 'file', file, isInline }
    await file.close()
    throw new AppError('unsupported')
  }
  // A GIF may be an animation, which is sent unchanged. The converter detects animations in other formats.
  if (method === 'send' || !isEnabled[size] || (size === 'big' && imageFormat === 'gif'))
    return sendUnchanged()
  const format = formatFor(header('accept'))
  const preview = await closeOnError(file, async () => {
    const etag = `${file.entry.etag}-${size}-${format}-v${previewVersion}`
    const validators = { etag, modifiedMs: (file.entry.target ?? file.entry).modifiedMs }
    const isNeeded = evaluatePreconditions(header, validators) === 'go'
    const bytes = isNeeded
      ? await make({ file, poster, size, format, userId: caller.user.id, signal })
      : noBytes
    return bytes === null ? null : previewFile(file.entry, format, { etag, bytes })
  })
  if (preview === null) return sendUnchanged()
  await file.close()
  const type = `image/${format}`
  return { kind: 'file', file: preview, isInline, isPicture: true, type, headers: { vary: 'accept' } }
}

/**
 * The response body when the browser already has the preview. The HTTP layer compares the same validators again and
 * responds with 304.
 */
const noBytes = Buffer.alloc(0)

function sizeOf(word: string): PreviewSize {
  const size = previewSizes.find((size) => size === word)
  if (size === undefined) {
    throw new AppError('bad-request', { reason: `the size must be one of ${previewSizes.join(', ')}` })
  }
  return size
}

/**
 * Returns WebP when the `Accept` header names WebP, as in requests by browsers, and otherwise JPEG, which every program
 * can read.
 */
const formatFor = (accept = ''): PreviewFormat =>
  accept.split(',').some((part) => /^\s*image\/webp\s*(;|$)/i.test(part) && !/;\s*q=0(\.0*)?\s*$/i.test(part))
    ? 'webp'
    : 'jpeg'

/** Runs the work and returns its result. Closes the file when the work fails. */
async function closeOnError<T>(file: OpenFile, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await file.close()
    throw codeOf(error) === 'bad-range' ? new AppError('changed-meanwhile', { cause: error }) : error
  }
}
