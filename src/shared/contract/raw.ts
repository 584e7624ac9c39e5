import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getRaw = endpoint({
  route: 'raw.get',
  summary: 'The bytes of one file, as a download or, where that is safe, inline',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  gives: ['application/octet-stream', '*/*'],
  fails: ['bad-range', 'changed-meanwhile'],
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
