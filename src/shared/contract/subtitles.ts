import { Type } from 'typebox'
import { fileAnswer } from './answers/bytes.ts'
import { endpoint } from './endpoint.ts'

export const getSubtitle = endpoint({
  route: 'subtitles.get',
  summary: 'A subtitle file as WebVTT',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileAnswer,
  gives: { 'text/vtt': Type.String() },
  fails: [...fileAnswer.fails, 'undecodable', 'too-large', 'too-many-tries'],
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
