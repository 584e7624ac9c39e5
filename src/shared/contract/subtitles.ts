import { Type } from 'typebox'
import { fileResponse } from './file-response.ts'
import { optionText } from './wire.ts'
import { endpoint } from './endpoint.ts'

export const getSubtitle = endpoint({
  route: 'subtitles.get',
  summary: 'A subtitle file as WebVTT',
  audience: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileResponse,
  responses: { 'text/vtt': Type.String() },
  failures: [...fileResponse.failures, 'undecodable', 'too-large', 'too-many-tries'],
  query: Type.Object({ inline: Type.Optional(optionText) }),
})
