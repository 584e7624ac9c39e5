import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getSubtitle = endpoint({
  route: 'subtitles.get',
  summary: 'A subtitle file as WebVTT',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
