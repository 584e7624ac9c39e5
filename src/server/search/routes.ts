import { searchNames } from '../../shared/contract/search.ts'
import { route, type Route } from '../http/route.ts'
import { search, type SearchNeeds } from './search.ts'

/** The search by names (contract 7). */
export const searchRoutes = (needs: SearchNeeds): readonly Route[] => [
  route(searchNames, async (asked) => search(needs, asked)),
]
