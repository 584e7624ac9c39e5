import { Type } from 'typebox'
import { bytes, fileResponse, remuxResponse } from './file-response.ts'
import { operationPermissions } from '../domain/access.ts'
import { entryNamesText, optionText } from './wire.ts'
import { endpoint } from './endpoint.ts'

/**
 * `remux` is a time in seconds. The response is then a part of a media file from that time on as fragments of MP4, where the
 * server announces that feature (docs/decisions, 65). With `remux=codecs` the response is a `MediaFacts` (81).
 */
export const getRaw = endpoint({
  route: 'raw.get',
  summary:
    'The bytes of one file, as a download or, where that is safe, inline; a folder or a selection of its entries as an archive',
  audience: 'session',
  needs: operationPermissions.download[0],
  takesTokenInQuery: true,
  body: 'none',
  ...fileResponse,
  responses: { 'application/octet-stream': bytes, '*/*': bytes },
  responseHeaders: [...fileResponse.responseHeaders, ...remuxResponse.responseHeaders],
  failures: [...fileResponse.failures, ...remuxResponse.failures, 'too-many-tries'],
  query: Type.Object({
    inline: Type.Optional(optionText),
    files: Type.Optional(entryNamesText),
    algo: Type.Optional(optionText),
    remux: Type.Optional(optionText),
  }),
})
