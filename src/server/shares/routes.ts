import {
  createShare,
  endReception,
  getShares,
  listReceived,
  listShares,
  removeShare,
  updateShare,
} from '../../shared/contract/shares.ts'
import { jsonResponse } from '../http/response/json-response.ts'
import { done, route, type Route } from '../http/route.ts'
import { addShare, type AddShareDependencies } from './add-share.ts'
import { changeShare, type ChangeShareDependencies } from './change-share.ts'
import { guestRoutes, type GuestRouteDependencies } from './guest-routes.ts'
import { listVisibleShares, listSharesOfEntry, type ListSharesDependencies } from './list-shares.ts'
import { listReceivedFiles, type ListReceivedDependencies } from './list-received.ts'
import { endRunningReception, type EndReceptionDependencies } from './end-reception.ts'
import { endShare, type EndShareDependencies } from './end-share.ts'

export type ShareRouteDependencies = AddShareDependencies &
  ListSharesDependencies &
  ChangeShareDependencies &
  EndShareDependencies &
  ListReceivedDependencies &
  EndReceptionDependencies &
  GuestRouteDependencies

/** The routes under `/api/shares`, `/api/share` and `/api/public`. */
export const shareRoutes = (dependencies: ShareRouteDependencies): readonly Route[] => [
  route(listShares, async ({ caller, query, reading, signal }) => {
    const list = { onlyOwn: query.own === 'true', reading, signal }
    return jsonResponse(await listVisibleShares(dependencies, caller, list))
  }),
  route(getShares, async ({ caller, path, reading, signal }) =>
    jsonResponse(await listSharesOfEntry(dependencies, caller, { path, reading, signal })),
  ),
  route(createShare, async ({ caller, path, body, query, signal, client: { address } }) => {
    // A value in the body takes precedence over the query.
    const terms = {
      ...body,
      expires: body.expires ?? query.expires ?? null,
      unit: body.unit ?? query.unit ?? null,
    }
    return jsonResponse(await addShare(dependencies, caller, { path, terms, signal, address }))
  }),
  route(updateShare, async ({ caller, path, body: terms, client: { address } }) =>
    jsonResponse(await changeShare(dependencies, caller, { path, terms, address })),
  ),
  route(removeShare, async ({ caller, path }) => {
    await endShare(dependencies, caller, path)
    return done
  }),
  route(listReceived, async ({ caller, path }) =>
    jsonResponse(await listReceivedFiles(dependencies, caller, path)),
  ),
  route(endReception, async ({ caller, path }) => {
    await endRunningReception(dependencies, caller, path)
    return done
  }),
  ...guestRoutes(dependencies),
]
