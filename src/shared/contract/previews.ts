import { Type } from 'typebox'
import { bytes, fileAnswer } from './answers/bytes.ts'
import { endpoint } from './endpoint.ts'

/** The sizes in which images are shown. */
export const previewSizes = ['thumb', 'big'] as const
export type PreviewSize = (typeof previewSizes)[number]

/** `k` and `key` stand in addresses so that a changed image has another one; they say nothing here. */
export const getPreview = endpoint({
  route: 'preview.get',
  summary: 'An image in a size for showing: `thumb` fills 256 x 256, `big` fits into 1080 x 1080',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileAnswer,
  gives: { 'image/webp': bytes, 'image/jpeg': bytes, 'application/octet-stream': bytes, '*/*': bytes },
  fails: [...fileAnswer.fails, 'undecodable', 'too-large', 'unsupported', 'too-many-tries'],
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
