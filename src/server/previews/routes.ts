import { getPreview, listTaken, previewSizes, type PreviewSize } from '../../shared/contract/previews.ts'
import { rowsMediaType } from '../../shared/contract/resources.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { evaluatePreconditions } from '../http/response/preconditions.ts'
import { route, type Route, type RouteResponse, type UntypedRequest } from '../http/route.ts'
import type { PreviewFormat } from './conversion.ts'
import type { Remuxer, RemuxRequest } from './remux/remux.ts'
import type { TakenTimesLister, TakenTimesRequest } from './taken/list-taken-times.ts'
import { showPreview, type PreviewOptions, type PreviewRequest } from './show-preview.ts'

/** A call that asks for a preview, by a user or by a guest. */
export type PreviewCall = Pick<PreviewRequest, 'storage' | 'path' | 'principal' | 'isGuest' | 'signal'> & {
  /** The text in the address that names the size. */
  readonly size: string
  readonly query: { readonly inline?: string | undefined; readonly poster?: string | undefined }
  readonly header: UntypedRequest['header']
}

/** Returns the function that responds with a preview. */
export const previewResponder =
  (options: PreviewOptions) =>
  async ({ size, query, header, ...request }: PreviewCall): Promise<RouteResponse> => {
    const { file, type } = await showPreview(options, {
      ...request,
      size: sizeOf(size),
      format: formatFor(header('accept')),
      drawsPoster: query.poster === 'true',
      isNeeded: (validators) => evaluatePreconditions(header, validators) === 'go',
    })
    const response = { kind: 'file', file, isInline: query.inline === 'true' } as const
    return type === null ? response : { ...response, isPicture: true, type, headers: { vary: 'accept' } }
  }

/** Returns the function that responds with the times at which the pictures in a folder were taken. */
export const takenResponder =
  (list: TakenTimesLister) =>
  async (request: TakenTimesRequest): Promise<RouteResponse> => ({
    kind: 'stream',
    contentType: rowsMediaType,
    chunks: await list(request),
  })

/** The functions that respond to requests of users and guests. */
type PreviewResponders = {
  readonly preview: ReturnType<typeof previewResponder>
  readonly taken: ReturnType<typeof takenResponder>
}

/** Returns the routes of `/api/preview` and `/api/taken`. */
export const previewRoutes = ({ preview: respond, taken }: PreviewResponders): readonly Route[] => [
  route(getPreview, ({ caller: { storage, user }, path, params, query, header, signal }) =>
    respond({
      storage,
      path,
      principal: `user ${user.id}`,
      size: params.size,
      query,
      header,
      isGuest: false,
      signal,
    }),
  ),
  route(listTaken, ({ caller: { storage, user }, path, query, reading, signal }) =>
    taken({
      storage,
      path,
      principal: `user ${user.id}`,
      isGuest: false,
      hasSizes: query.sizes === 'true',
      reading,
      signal,
    }),
  ),
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
