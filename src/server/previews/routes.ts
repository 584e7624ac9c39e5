import { getPreview, previewSizes, type PreviewSize } from '../../shared/contract/previews.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { evaluatePreconditions } from '../http/response/preconditions.ts'
import { route, type Route, type RouteResponse } from '../http/route.ts'
import type { PreviewFormat } from './conversion.ts'
import type { Remuxer, RemuxRequest } from './remux/remux.ts'
import { showPreview, type PreviewOptions } from './show-preview.ts'

/** Returns the route of `/api/preview`. */
export const previewRoutes = (options: PreviewOptions): readonly Route[] => [
  route(getPreview, async ({ caller, path, params, query, header, signal }) => {
    const { file, type } = await showPreview(options, caller, {
      path,
      size: sizeOf(params.size),
      format: formatFor(header('accept')),
      drawsPoster: query.poster === 'true',
      isNeeded: (validators) => evaluatePreconditions(header, validators) === 'go',
      signal,
    })
    const response = { kind: 'file', file, isInline: query.inline === 'true' } as const
    return type === null ? response : { ...response, isPicture: true, type, headers: { vary: 'accept' } }
  }),
]

/** The response header that tells the duration of the whole file in seconds. The value is 0 when it is unknown. */
const durationHeader = 'x-content-duration'

/** Returns the function that responds with a part of a media file, or with its description. */
export const remuxResponder =
  (remux: Remuxer) =>
  async (request: RemuxRequest): Promise<RouteResponse> => {
    const result = await remux(request)
    if (result.kind === 'description') return { kind: 'json', json: result.description }
    const { file, type, durationS } = result
    return { kind: 'file', file, isInline: true, type, headers: { [durationHeader]: String(durationS) } }
  }

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
