import {
  createShare,
  downloadPublic,
  getShares,
  listShares,
  removeShare,
  showPublic,
} from '../../shared/contract/shares.ts'
import { route, type Route } from '../http/route.ts'
import { create, type CreateNeeds } from './create.ts'
import { list, listAt, type ListNeeds } from './list.ts'
import { remove, type RemoveNeeds } from './remove.ts'
import { download, show, type VisitNeeds } from './visit.ts'

export type ShareNeeds = CreateNeeds & ListNeeds & RemoveNeeds & VisitNeeds

/** The calls under `/api/shares`, `/api/share` and `/api/public`. */
export const shareRoutes = (needs: ShareNeeds): readonly Route[] => [
  route(listShares, (asked) => list(needs, asked)),
  route(getShares, (asked) => listAt(needs, asked)),
  route(createShare, (asked) => create(needs, asked)),
  route(removeShare, (asked) => remove(needs, asked)),
  route(showPublic, (asked) => show(needs, asked)),
  route(downloadPublic, (asked) => download(needs, asked)),
]
