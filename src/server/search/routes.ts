import { searchNames } from '../../shared/contract/search.ts'
import { route, type Route } from '../http/route.ts'
import { search, type SearchDependencies } from './search.ts'

/** Returns the route of the search for names (contract 7). */
export const searchRoutes = (dependencies: SearchDependencies): readonly Route[] => [
  route(searchNames, async (request) => search(dependencies, request)),
]
