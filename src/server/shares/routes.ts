import {
  createShare,
  downloadPublic,
  dropFile,
  endReception,
  getShares,
  listReceived,
  listShares,
  removeShare,
  showPublic,
  updateShare,
} from '../../shared/contract/shares.ts'
import { route, type Route } from '../http/route.ts'
import { addShare, type AddShareDependencies } from './add-share.ts'
import { changeShare, type ChangeShareDependencies } from './change-share.ts'
import { listVisibleShares, listSharesOfEntry, type ListSharesDependencies } from './list-shares.ts'
import { receiveFile, type ReceiveFileDependencies } from './receive-file.ts'
import { listReceivedFiles, type ListReceivedDependencies } from './list-received.ts'
import { endRunningReception, type EndReceptionDependencies } from './end-reception.ts'
import { endShare, type EndShareDependencies } from './end-share.ts'
import { downloadShared, showSharedEntry, type VisitShareDependencies } from './visit-share.ts'

export type ShareRouteDependencies = AddShareDependencies &
  ListSharesDependencies &
  ChangeShareDependencies &
  EndShareDependencies &
  VisitShareDependencies &
  ReceiveFileDependencies &
  ListReceivedDependencies &
  EndReceptionDependencies

/** The routes under `/api/shares`, `/api/share` and `/api/public`. */
export const shareRoutes = (dependencies: ShareRouteDependencies): readonly Route[] => [
  route(listShares, (request) => listVisibleShares(dependencies, request)),
  route(getShares, (request) => listSharesOfEntry(dependencies, request)),
  route(createShare, (request) => addShare(dependencies, request)),
  route(updateShare, (request) => changeShare(dependencies, request)),
  route(removeShare, (request) => endShare(dependencies, request)),
  route(showPublic, (request) => showSharedEntry(dependencies, request)),
  route(listReceived, (request) => listReceivedFiles(dependencies, request)),
  route(endReception, (request) => endRunningReception(dependencies, request)),
  route(dropFile, (request) => receiveFile(dependencies, request)),
  route(downloadPublic, (request) => downloadShared(dependencies, request)),
]
