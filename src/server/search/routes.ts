import { hitsMediaType, searchNames } from '../../shared/contract/search.ts'
import { jsonType, textType } from '../http/response/headers.ts'
import { route, type Route } from '../http/route.ts'
import { search, type HitForm, type SearchDependencies } from './search.ts'

export type SearchRouteDependencies = SearchDependencies & {
  /** True when search responses are sent line by line even if the client has not requested this (`--searchStream`). */
  readonly streams: boolean
}

const contentTypes: Readonly<Record<HitForm, string>> = {
  array: jsonType,
  lines: textType,
  'described-lines': hitsMediaType,
}

/** Returns the route of the search for names (contract 7). */
export const searchRoutes = (dependencies: SearchRouteDependencies): readonly Route[] => [
  route(searchNames, ({ caller, path, query, header, signal, reading }) => {
    const plainForm = dependencies.streams ? 'lines' : 'array'
    const form = header('accept')?.includes(hitsMediaType) === true ? 'described-lines' : plainForm
    const chunks = search(dependencies, caller, {
      path,
      text: query.query ?? '',
      ignoresAccents: query.ignoreAccents === 'true',
      needsAllTerms: query.allTerms === 'true',
      abbreviations: query.abbreviations === 'true',
      form,
      reading,
      signal,
    })
    return { kind: 'stream', contentType: contentTypes[form], chunks }
  }),
]
