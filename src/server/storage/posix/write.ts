import type { Entry } from '../../../shared/domain/entry.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { inTurn } from '../../turns/turns.ts'
import type { Storage } from '../port.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { Lease } from './bytes/lease.ts'
import { withFailures } from './failures.ts'
import type { Ground } from './ground.ts'
import { run } from './ground.ts'
import type { Commit, Stage, Staged } from './tasks/stage.ts'
import { holdOpen, receive } from './writing.ts'

type WriteOptions = Parameters<Storage['write']>[2]
type Writing = { readonly path: Path; readonly body: AsyncIterable<Uint8Array> }

/** Staged beside its place, flushed, and put there in one step; whatever fails before leaves no trace. */
export async function write(ground: Ground, { path, body }: Writing, op: WriteOptions): Promise<Entry> {
  const { volume } = ground
  const { overwrite, ifMatch, sizeBytes, signal } = op
  const dirMode = op.parents === true ? volume.dirMode : null
  const stage: Stage = { path, overwrite, ifMatch, sizeBytes, dirMode }
  const staged = await run<Staged>(ground, { task: 'stage', input: stage, op, onLate: takeBack(ground) })
  const lease = holdOpen(volume.calls, [staged.file, staged.folder])
  const at = { calls: volume.calls, lease }
  try {
    return await withFailures(async () => {
      await receive({ to: { ...at, descriptor: staged.file }, body, sizeBytes, signal })
      const commit = { staged, overwrite, ifMatch, fileMode: volume.fileMode }
      const entry = await putInPlace(ground, commit, lease)
      await volume.flushes(staged.folderKey, { ...at, descriptor: staged.folder })
      return staged.isElsewhere ? await run<Entry>(ground, { task: 'stat', input: { path } }) : entry
    })
  } catch (error) {
    const undone = run(ground, { task: 'discard', input: { staged }, lease }).catch(() => {})
    // A disk that does not answer is not waited for a second time.
    if (codeOf(error) !== 'timeout') await undone
    throw error
  } finally {
    await lease.release()
  }
}

/** Takes back what was staged for nobody: the disk answered too late. */
export const takeBack =
  (ground: Ground) =>
  (staged: Staged): void => {
    const lease = holdOpen(ground.volume.calls, [staged.file, staged.folder])
    void run(ground, { task: 'discard', input: { staged }, lease }).catch(() => {})
    void lease.release().catch(() => {})
  }

/** From here on an abort comes too late: the step is short, and done or not done. */
export async function putInPlace(
  ground: Ground,
  commit: Omit<Commit, 'modifiedMs'>,
  lease: Lease,
): Promise<Entry> {
  const { turns, modifiedMs } = ground.volume
  const { folderKey, name } = commit.staged
  return inTurn({ turns, line: `${folderKey}/${name}` }, async () =>
    run<Entry>(ground, { task: 'commit', input: { ...commit, modifiedMs: modifiedMs() }, lease }),
  )
}
