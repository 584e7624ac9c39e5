import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

export const getRaw = endpoint({
  route: 'raw.get',
  summary: 'The bytes of one file, as a download or, where that is safe, inline',
  who: 'session',
  needs: 'download',
  takesTokenInQuery: true,
  body: 'none',
  query: Type.Object({ inline: Type.Optional(Type.String()) }),
})
