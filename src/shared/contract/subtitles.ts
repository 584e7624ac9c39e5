import { Type } from 'typebox'
import { fileAnswer } from './file-answer.ts'
import { endpoint } from './endpoint.ts'

export const getSubtitle = endpoint({
  route: 'subtitles.get',
  summary: 'A subtitle file as WebVTT',
  audience: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileAnswer,
  answers: { 'text/vtt': Type.String() },
  failures: [...fileAnswer.failures, 'undecodable', 'too-large', 'too-many-tries'],
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
