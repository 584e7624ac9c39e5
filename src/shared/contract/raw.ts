import { Type } from 'typebox'
import { bytes, fileResponse } from './file-response.ts'
import { endpoint } from './endpoint.ts'

export const getRaw = endpoint({
  route: 'raw.get',
  summary:
    'The bytes of one file, as a download or, where that is safe, inline; a folder or a selection of its entries as an archive',
  audience: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileResponse,
  responses: { 'application/octet-stream': bytes, '*/*': bytes },
  failures: [...fileResponse.failures, 'too-many-tries'],
  query: Type.Object({
    inline: Type.Optional(Type.String()),
    files: Type.Optional(Type.String()),
    algo: Type.Optional(Type.String()),
  }),
})
