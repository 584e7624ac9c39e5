import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { endpoint } from './endpoint.ts'
import type { WireType } from './wire.ts'

/** The media type with which a client requests one JSON object on each line instead of an array. */
export const hitsMediaType = 'application/x-ndjson'

const hitSchema = Type.Object(
  {
    dir: Type.Boolean(),
    isDir: Type.Boolean(),
    path: Type.String(),
    size: Type.Optional(Type.Number()),
    modifiedMs: Type.Optional(Type.Number()),
    flags: Type.Optional(Type.Integer()),
  },
  { title: 'SearchHit' },
)

/**
 * One hit of a search (contract 7). `path` is relative to the searched folder; `dir` and `isDir` always have the same
 * value. A client that accepts NDJSON also gets what a listing shows: the size in bytes, the time of the last change, and
 * the flags of a row of a listing, all three those of the target for a link. They are absent when the entry has disappeared
 * meanwhile.
 */
export type SearchHit = WireType<typeof hitSchema>

const truncationSchema = Type.Object({ truncated: Type.Literal(true) }, { title: 'SearchCut' })

/**
 * The last line of a line-by-line search response that was truncated, because there are more hits than the server
 * sends.
 */
export type SearchTruncation = WireType<typeof truncationSchema>

const gapsSchema = Type.Object({ unsearched: Type.Integer() }, { title: 'SearchGaps' })

/** The last line of a response that a client requested as NDJSON, when folders exist that the server could not read. */
export type SearchGaps = WireType<typeof gapsSchema>

const hitsAsLines = Type.String({
  description:
    'A hit as JSON on each line; `{"truncated":true}` follows when further hits were left out, and, for a client that accepts NDJSON, `{"unsearched":1}` with the number of folders that could not be searched',
})

const hitLine = Type.Union([hitSchema, truncationSchema, gapsSchema])

export const searchNames = endpoint({
  route: 'search.get',
  summary:
    'Finds names below a folder. Returns an array, or lines as they are found if the client accepts NDJSON',
  audience: 'session',
  body: 'none',
  responses: {
    'application/json': Type.Array(hitSchema),
    [hitsMediaType]: hitsAsLines,
    'text/plain': hitsAsLines,
  },
  lineSchemas: { [hitsMediaType]: hitLine, 'text/plain': hitLine },
  failures: ['too-many-tries'],
  query: Type.Object({
    query: Type.Optional(Type.String({ maxLength: limits.searchQueryBytes })),
    ignoreAccents: Type.Optional(
      Type.String({
        description: '`true` lets `cafe` find `Café`, unless the search is case sensitive',
        maxLength: limits.optionCharacters,
      }),
    ),
    allTerms: Type.Optional(
      Type.String({
        description: '`true` finds only names that contain all terms of the query, in any order',
        maxLength: limits.optionCharacters,
      }),
    ),
    abbreviations: Type.Optional(
      Type.String({
        description:
          '`true` adds the best paths that have only the letters of the text, such as `user/control.ts` for `usctl`',
        maxLength: limits.optionCharacters,
      }),
    ),
  }),
})
