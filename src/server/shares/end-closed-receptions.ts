import { codeOf } from '../../shared/domain/failure.ts'
import type { ReceivedFileStore } from '../records/received-files.ts'
import type { ShareRecord, ShareStore } from '../records/share-store.ts'
import type { UserStore } from '../records/user-store.ts'
import { requireOpenDrop, type OpenShareDependencies } from './open-share.ts'
import type { RunningReception, RunningReceptions } from './running-receptions.ts'

export type ClosedReceptionDependencies = {
  readonly shares: Pick<ShareStore, 'find'>
  readonly users: Pick<UserStore, 'find'>
  readonly receivedFiles: Pick<ReceivedFileStore, 'totals'>
  readonly runningReceptions: Pick<RunningReceptions, 'all' | 'end'>
  readonly disks: Pick<OpenShareDependencies['disks'], 'isDiskMissing'>
  readonly nowMs: () => number
}

/**
 * Ends the receptions that their shares would not accept any more: those of shares that have expired, that were removed or
 * moved, whose mode or password has changed, or whose limits were lowered too far. Otherwise they would take space of the owner
 * until their last byte has arrived.
 */
export async function endClosedReceptions({
  runningReceptions,
  ...dependencies
}: ClosedReceptionDependencies): Promise<void> {
  const shares = { find: remembering(dependencies.shares.find) }
  for (const reception of runningReceptions.all()) {
    const code = await refusalCodeOf({ ...dependencies, shares }, reception)
    if (code !== null) runningReceptions.end(reception.shareHash, reception.id, code)
  }
}

type RefusalDependencies = Omit<ClosedReceptionDependencies, 'runningReceptions'>

/** Returns the code with which a reception is refused now; null for one that may continue. */
async function refusalCodeOf(dependencies: RefusalDependencies, reception: RunningReception) {
  const { share } = reception
  try {
    await requireOpenDrop(dependencies, share)
    const current = await dependencies.shares.find(share.hash)
    return current === null ? 'not-found' : await refusalByLimits(dependencies, current, reception)
  } catch (error) {
    const code = codeOf(error)
    // While the disk is missing, the upload may wait for it. The share is checked again before the file appears.
    if (code === 'unavailable') return null
    if (code !== 'not-found' && code !== 'forbidden') throw error
    return code
  }
}

/** Limits that were not changed are checked as the bytes arrive, and before the file appears. */
async function refusalByLimits(
  { receivedFiles }: Pick<RefusalDependencies, 'receivedFiles'>,
  { hash, maxFiles, maxBytes }: ShareRecord,
  { share, sizeBytes }: RunningReception,
) {
  if (maxFiles === share.maxFiles && maxBytes === share.maxBytes) return null
  const stored = await receivedFiles.totals(hash)
  if (maxFiles !== null && stored.files >= maxFiles) return 'too-many-files'
  return maxBytes !== null && stored.bytes + sizeBytes > maxBytes ? 'no-space' : null
}

/** Wraps a lookup so that it reads each share once. */
function remembering(find: ShareStore['find']): ShareStore['find'] {
  const found = new Map<string, ReturnType<ShareStore['find']>>()
  return (hash) => {
    const share = found.get(hash) ?? find(hash)
    found.set(hash, share)
    return share
  }
}
