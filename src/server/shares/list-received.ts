import type {
  listReceived,
  ReceivedFileResource,
  RunningReceptionResource,
} from '../../shared/contract/shares.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { OperationRequest, RouteResponse } from '../http/route.ts'
import type { ReceivedFile, ReceivedFileStore, ShareStore } from '../records/port.ts'
import { ownShareAt } from './own-share.ts'
import type { RunningReception, RunningReceptions } from './running-receptions.ts'

export type ListReceivedDependencies = {
  readonly shares: Pick<ShareStore, 'find'>
  readonly receivedFiles: Pick<ReceivedFileStore, 'list' | 'totals'>
  readonly runningReceptions: Pick<RunningReceptions, 'list'>
}

/**
 * Lists the files that guests have sent to a share of the caller, or to any share for an administrator, and the files
 * that this process is receiving.
 */
export async function listReceivedFiles(
  { shares, receivedFiles, runningReceptions }: ListReceivedDependencies,
  request: OperationRequest<typeof listReceived>,
): Promise<RouteResponse> {
  const { hash } = await ownShareAt(shares, request)
  const files = await receivedFiles.list(hash, limits.listedReceivedFiles)
  const running = runningReceptions.list(hash).map(runningResourceOf)
  const { files: total } = await receivedFiles.totals(hash)
  return { kind: 'json', json: { files: files.map(resourceOf), total, running } }
}

const resourceOf = ({ sizeBytes, receivedAtMs, ...file }: ReceivedFile): ReceivedFileResource => ({
  ...file,
  size: sizeBytes,
  receivedMs: receivedAtMs,
})

const runningResourceOf = ({
  id,
  name,
  guest,
  sizeBytes,
  receivedBytes,
  startedAtMs,
}: RunningReception): RunningReceptionResource => ({
  id,
  name,
  guest,
  size: sizeBytes,
  received: receivedBytes,
  startedMs: startedAtMs,
})
