import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** One hit (contract 7): its path below the searched folder, without a slash in front. `dir` and `isDir` say the same. */
export type SearchHit = { readonly dir: boolean; readonly isDir: boolean; readonly path: string }

/** Last line of a search by lines, when there would have been more hits. */
export type SearchCut = { readonly truncated: true }

/** The media type that asks for hits line by line. */
export const hitsMediaType = 'application/x-ndjson'

export const searchNames = endpoint({
  route: 'search.get',
  summary: 'Finds names below a folder: an array, or lines as they are found when asked for NDJSON',
  who: 'session',
  body: 'none',
  gives: ['application/json', hitsMediaType],
  query: Type.Object({ query: Type.Optional(Type.String()) }),
})
