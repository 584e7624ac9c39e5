import { Type } from 'typebox'
import { bytes, fileAnswer } from './answers/bytes.ts'
import { endpoint } from './endpoint.ts'

export const getRaw = endpoint({
  route: 'raw.get',
  summary:
    'The bytes of one file, as a download or, where that is safe, inline; a folder or some of it as an archive',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  ...fileAnswer,
  gives: { 'application/octet-stream': bytes, '*/*': bytes },
  fails: [...fileAnswer.fails, 'too-many-tries'],
  query: Type.Object({
    inline: Type.Optional(Type.String()),
    files: Type.Optional(Type.String()),
    algo: Type.Optional(Type.String()),
  }),
})
