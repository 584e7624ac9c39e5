import type { Entry } from '../../../shared/domain/entry.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { inTurn } from '../../turns/turns.ts'
import type { Storage } from '../port.ts'
import { withFailures } from './failures.ts'
import type { Ground } from './ground.ts'
import { run } from './ground.ts'
import type { Commit, Stage, Staged } from './tasks/stage.ts'
import { closeAll, flushFolderOf, receive } from './writing.ts'

type WriteOptions = Parameters<Storage['write']>[2]
type Writing = { readonly path: Path; readonly body: AsyncIterable<Uint8Array> }

/** Staged beside its place, flushed, and put there in one step; whatever fails before leaves no trace. */
export async function write(ground: Ground, { path, body }: Writing, op: WriteOptions): Promise<Entry> {
  const { volume } = ground
  const { overwrite, ifMatch, sizeBytes, signal } = op
  const dirMode = op.parents === true ? volume.dirMode : null
  const stage: Stage = { path, overwrite, ifMatch, sizeBytes, dirMode }
  const staged = await run<Staged>(ground, { task: 'stage', input: stage, op })
  try {
    return await withFailures(async () => {
      await receive({ descriptor: staged.file, body, sizeBytes, signal })
      const entry = await putInPlace(ground, { staged, overwrite, ifMatch, fileMode: volume.fileMode })
      await flushFolderOf(staged.folder)
      return staged.isElsewhere ? await run<Entry>(ground, { task: 'stat', input: { path } }) : entry
    })
  } catch (error) {
    await run(ground, { task: 'discard', input: { staged } }).catch(() => {})
    throw error
  } finally {
    await closeAll([staged.file, staged.folder])
  }
}

/** From here on an abort comes too late: the step is short, and done or not done. */
export async function putInPlace(ground: Ground, commit: Omit<Commit, 'modifiedMs'>): Promise<Entry> {
  const { turns, modifiedMs } = ground.volume
  const { folderKey, name } = commit.staged
  return inTurn({ turns, line: `${folderKey}/${name}` }, async () =>
    run<Entry>(ground, { task: 'commit', input: { ...commit, modifiedMs: modifiedMs() } }),
  )
}
