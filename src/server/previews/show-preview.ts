import { previewSizes, type getPreview, type PreviewSize } from '../../shared/contract/previews.ts'
import { AppError, codeOf } from '../../shared/domain/failure.ts'
import { evaluatePreconditions } from '../http/response/preconditions.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { OpenFile } from '../storage/port.ts'
import type { PreviewFormat } from './conversion.ts'
import { openImage, previewFile } from './open-image.ts'
import type { PreviewMaker } from './make-preview.ts'

export type PreviewOptions = {
  /** True when files without a known extension are recognized by their first bytes. */
  readonly sniffs: boolean
  /** True for each size in which previews are made. For the other sizes, the image itself is sent. */
  readonly isEnabled: Readonly<Record<PreviewSize, boolean>>
  readonly make: PreviewMaker
}

type PreviewRequest = OperationRequest<typeof getPreview>

/**
 * Responds with an image in the requested size (contract 6). When no preview is made, because of the image's format, an
 * animation or a disabled size, the image file is sent like a download.
 */
export async function showPreview(
  { sniffs, isEnabled, make }: PreviewOptions,
  request: PreviewRequest,
): Promise<RouteResponse> {
  const { caller, path, signal, query, header } = request
  const size = sizeOf(request.params.size)
  const { file, isConvertible: isConverted } = await openImage(caller.storage, path, { signal, sniffs })
  const isInline = query.inline === 'true'
  const sendUnchanged: RouteResponse = { kind: 'file', file, isInline }
  if (!isConverted || !isEnabled[size] || (size === 'big' && isGif(file))) return sendUnchanged
  const format = formatFor(header('accept'))
  const preview = await closeOnError(file, async () => {
    const etag = `${file.entry.etag}-${size}-${format}`
    const validators = { etag, modifiedMs: (file.entry.target ?? file.entry).modifiedMs }
    const isNeeded = evaluatePreconditions(header, validators) === 'go'
    const bytes = isNeeded ? await make({ file, size, format, userId: caller.user.id, signal }) : noBytes
    return bytes === null ? null : previewFile(file.entry, format, { etag, bytes })
  })
  if (preview === null) return sendUnchanged
  await file.close()
  return { kind: 'file', file: preview, isInline, type: `image/${format}`, headers: { vary: 'accept' } }
}

/**
 * The response body when the browser already has the preview. The HTTP layer compares the same validators again and
 * responds with 304.
 */
const noBytes = Buffer.alloc(0)

function sizeOf(word: string): PreviewSize {
  const size = previewSizes.find((size) => size === word)
  if (size === undefined) {
    throw new AppError('bad-request', { reason: `the size is one of ${previewSizes.join(', ')}` })
  }
  return size
}

/**
 * True for a GIF file. A GIF may be an animation, which must be sent unchanged. The converter detects animations in
 * other formats.
 */
const isGif = ({ entry }: OpenFile): boolean => entry.name.toLowerCase().endsWith('.gif')

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
