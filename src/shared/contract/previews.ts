import { Type } from 'typebox'
import { bytes, fileResponse } from './file-response.ts'
import { optionText } from './wire.ts'
import { endpoint } from './endpoint.ts'

/** The sizes of previews that a client can request. */
export const previewSizes = ['thumb', 'tile', 'big'] as const
export type PreviewSize = (typeof previewSizes)[number]

/**
 * The values of `k` and `key` are ignored. Clients set them to the time of the image's last change, so that a changed
 * image has a new URL. `poster=true` also asks for a picture of videos, PDF files, HEIC and camera RAW images, where the
 * server announces that feature (docs/decisions, 59).
 */
export const getPreview = endpoint({
  route: 'preview.get',
  summary:
    'An image in a size for display: `thumb` fills 256 x 256, `tile` fits into 512 x 512, `big` fits into 1080 x 1080',
  audience: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileResponse,
  responses: { 'image/webp': bytes, 'image/jpeg': bytes, 'application/octet-stream': bytes, '*/*': bytes },
  failures: [...fileResponse.failures, 'undecodable', 'too-large', 'unsupported', 'too-many-tries'],
  query: Type.Object({
    inline: Type.Optional(optionText),
    k: Type.Optional(optionText),
    key: Type.Optional(optionText),
    poster: Type.Optional(optionText),
  }),
})
