import { Type } from 'typebox'
import { bytes, fileResponse } from './file-response.ts'
import { optionText } from './wire.ts'
import { endpoint } from './endpoint.ts'
import { sharePasswordDeclaration } from './entry-headers.ts'
import { rowsMediaType } from './resources.ts'

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

/** The query and the response of the two calls for the times at which pictures were taken. */
const takenQuery = { sizes: Type.Optional(optionText) }
const takenResponse = {
  responses: {
    [rowsMediaType]: Type.String({
      description:
        'JSON on each line: an array of pairs of a name and a local time such as `2026-11-25T18:30:00`. Pictures without a known time are left out. With `sizes=true`, pictures of which the size is known are lists of the name, the time or null, and the width and height in which they are shown',
    }),
  },
  lineSchemas: {
    [rowsMediaType]: Type.Array(
      Type.Union([
        Type.Tuple([Type.String(), Type.String()]),
        Type.Tuple([
          Type.String(),
          Type.Union([Type.String(), Type.Null()]),
          Type.Integer({ minimum: 1 }),
          Type.Integer({ minimum: 1 }),
        ]),
      ]),
    ),
  },
} as const

export const listTaken = endpoint({
  route: 'preview.taken',
  summary:
    'Lists the times at which the pictures in a folder, or one picture, were taken, as their cameras have written them',
  audience: 'session',
  needs: 'download',
  body: 'none',
  ...takenResponse,
  failures: ['not-a-folder', 'too-large'],
  query: Type.Object(takenQuery),
})

export const listTakenPublic = endpoint({
  route: 'public.taken',
  summary: 'Lists the times at which shared pictures were taken, as `preview.taken` does',
  audience: 'anyone',
  headers: { 'x-robots-tag': 'noindex' },
  body: 'none',
  requestHeaders: [sharePasswordDeclaration],
  ...takenResponse,
  failures: ['not-a-folder', 'too-large', 'not-signed-in', 'forbidden', 'too-many-tries', 'overloaded'],
  query: Type.Object({ ...takenQuery, token: Type.Optional(optionText) }),
})

/** A line of the response: the names of pictures, and the local times at which they were taken. */
export type TakenLine = readonly (readonly [name: string, time: string])[]

/** A line of the response to a request with `sizes=true`. Pictures of which only the time is known are as in a `TakenLine`. */
export type PictureLine = readonly (
  | TakenLine[number]
  | readonly [name: string, time: string | null, width: number, height: number]
)[]
