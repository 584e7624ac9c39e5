import { Type } from 'typebox'
import { schemaOf } from './answers/schema-of.ts'
import { endpoint } from './endpoint.ts'

/** One hit (contract 7): its path below the searched folder, without a slash in front. `dir` and `isDir` say the same. */
export type SearchHit = { readonly dir: boolean; readonly isDir: boolean; readonly path: string }

/** Last line of a search by lines, when there would have been more hits. */
export type SearchCut = { readonly truncated: true }

/** The media type that asks for hits line by line. */
export const hitsMediaType = 'application/x-ndjson'

const hitSchema = schemaOf<SearchHit>()(
  Type.Object({ dir: Type.Boolean(), isDir: Type.Boolean(), path: Type.String() }, { title: 'SearchHit' }),
)

const cutSchema = schemaOf<SearchCut>()(
  Type.Object({ truncated: Type.Literal(true) }, { title: 'SearchCut' }),
)

const hitsAsLines = Type.String({
  description:
    'A hit as JSON on each line; the last one is `{"truncated":true}` when there would have been more',
})

const hitLine = Type.Union([hitSchema, cutSchema])

export const searchNames = endpoint({
  route: 'search.get',
  summary: 'Finds names below a folder: an array, or lines as they are found when asked for NDJSON',
  who: 'session',
  body: 'none',
  gives: {
    'application/json': Type.Array(hitSchema),
    [hitsMediaType]: hitsAsLines,
    'text/plain': hitsAsLines,
  },
  lines: { [hitsMediaType]: hitLine, 'text/plain': hitLine },
  fails: ['too-many-tries'],
  query: Type.Object({ query: Type.Optional(Type.String()) }),
})
