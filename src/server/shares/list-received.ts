import type {
  ReceivedFileList,
  ReceivedFileResource,
  RunningReceptionResource,
} from '../../shared/contract/shares.ts'
import { limits } from '../../shared/domain/limits.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ReceivedFile, ReceivedFileStore } from '../records/received-files.ts'
import type { ShareStore } from '../records/share-store.ts'
import { ownShareAt } from './own-share.ts'
import type { RunningReception, RunningReceptions } from './running-receptions.ts'

export type ListReceivedDependencies = {
  readonly shares: Pick<ShareStore, 'find'>
  readonly receivedFiles: Pick<ReceivedFileStore, 'list' | 'totals'>
  readonly runningReceptions: Pick<RunningReceptions, 'list'>
}

/**
 * Lists the files that guests have sent to a share of the actor, or to any share for an administrator, and the files
 * that this process is receiving.
 */
export async function listReceivedFiles(
  { shares, receivedFiles, runningReceptions }: ListReceivedDependencies,
  actor: Actor,
  path: Path,
): Promise<ReceivedFileList> {
  const { hash } = await ownShareAt(shares, actor, path)
  const files = await receivedFiles.list(hash, limits.listedReceivedFiles)
  const running = runningReceptions.list(hash).map(runningResourceOf)
  const { files: total } = await receivedFiles.totals(hash)
  return { files: files.map(resourceOf), total, running }
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
