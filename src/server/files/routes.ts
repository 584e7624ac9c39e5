import { getResource, listBelow, rowsMediaType } from '../../shared/contract/resources.ts'
import { getFolderTotals, getUsage, totalsMediaType } from '../../shared/contract/usage.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { route, type OperationRequest, type Route, type RouteResponse } from '../http/route.ts'
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
  route(getResource, (request) => show(dependencies, request)),
  route(listBelow, async ({ caller, path, signal, reading }) =>
    jsonResponse(await listTree(dependencies, caller, { path, signal, reading })),
  ),
  ...changeRoutes,
  route(getUsage, async ({ caller, path, signal }) => jsonResponse(await showUsage(caller, path, signal))),
  route(getFolderTotals, async ({ caller, path, signal, reading }) => {
    const chunks = await measureFolder(dependencies, caller, { path, signal, reading })
    return { kind: 'stream', contentType: totalsMediaType, chunks }
  }),
]

async function show(
  dependencies: ShowEntryDependencies,
  { caller, path, isFolder, query, header, signal, reading }: OperationRequest<typeof getResource>,
): Promise<RouteResponse> {
  const shown = await showEntry(dependencies, caller, {
    path,
    isFolder,
    wantsRows: header('accept')?.includes(rowsMediaType) ?? false,
    sorting: { by: query.by, asc: query.asc === undefined ? undefined : query.asc === 'true' },
    knownTags: header('if-none-match'),
    checksum: query.checksum,
    describesOnly: query.describe === 'true',
    wantsText: header('x-encoding') === 'true',
    reading,
    signal,
  })
  switch (shown.kind) {
    case 'description':
      return jsonResponse(shown.description)
    case 'text':
      return { kind: 'file', file: shown.file, isInline: false }
    case 'folder':
      return typeof shown.json === 'string'
        ? { kind: 'json-text', text: shown.json }
        : jsonResponse(shown.json)
    default: {
      const { etag, chunks } = shown
      const headers = { ETag: etag }
      return chunks === null
        ? { kind: 'status', status: 304, headers }
        : { kind: 'stream', contentType: rowsMediaType, headers, chunks }
    }
  }
}
