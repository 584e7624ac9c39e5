import { getResource, listBelow } from '../../shared/contract/resources.ts'
import { getFolderTotals, getUsage } from '../../shared/contract/usage.ts'
import { route, type Route } from '../http/route.ts'
import { listTree } from './list-tree.ts'
import type { TreeReadingDependencies } from './walk-in-turn.ts'
import { changeRoutes } from './change-routes.ts'
import { measureFolder } from './measure-folder.ts'
import { showEntry, type ShowEntryDependencies } from './show-entry.ts'
import { showUsage } from './show-usage.ts'

/** Returns the routes below `/api/resources`, `/api/usage` and `/api/du`. */
export const fileRoutes = (
  dependencies: ShowEntryDependencies & TreeReadingDependencies,
): readonly Route[] => [
  route(getResource, (request) => showEntry(dependencies, request)),
  route(listBelow, (request) => listTree(dependencies, request)),
  ...changeRoutes,
  route(getUsage, showUsage),
  route(getFolderTotals, (request) => measureFolder(dependencies, request)),
]
