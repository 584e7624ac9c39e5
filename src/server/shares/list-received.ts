import type { listReceived, ReceivedFileResource } from '../../shared/contract/shares.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { OperationRequest, RouteResponse } from '../http/route.ts'
import type { ReceivedFile, ReceivedFileStore, ShareStore } from '../records/port.ts'
import { ownShareAt } from './own-share.ts'

export type ListReceivedDependencies = {
  readonly shares: Pick<ShareStore, 'find'>
  readonly receivedFiles: Pick<ReceivedFileStore, 'list' | 'totals'>
}

/** Lists the files that guests have sent to a share of the caller, or to any share for an administrator. */
export async function listReceivedFiles(
  { shares, receivedFiles }: ListReceivedDependencies,
  request: OperationRequest<typeof listReceived>,
): Promise<RouteResponse> {
  const { hash } = await ownShareAt(shares, request)
  const files = await receivedFiles.list(hash, limits.listedReceivedFiles)
  const { files: total } = await receivedFiles.totals(hash)
  return { kind: 'json', json: { files: files.map(resourceOf), total } }
}

const resourceOf = ({ sizeBytes, receivedAtMs, ...file }: ReceivedFile): ReceivedFileResource => ({
  ...file,
  size: sizeBytes,
  receivedMs: receivedAtMs,
})
