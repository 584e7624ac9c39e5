import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getSubtitle = endpoint({
  route: 'subtitles.get',
  summary: 'A subtitle file as WebVTT',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  gives: ['text/vtt'],
  fails: ['undecodable', 'too-large', 'bad-range', 'changed-meanwhile'],
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
