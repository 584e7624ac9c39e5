import type { Entry } from '../../../shared/domain/entry.ts'
import { namesOf, root, type Path } from '../../../shared/domain/path.ts'
import { inTurn } from '../../turns/turns.ts'
import { smallFileBytes, type Incoming, type Storage } from '../port.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { Lease } from './bytes/lease.ts'
import { withFailures } from './failures.ts'
import type { Ground } from './ground.ts'
import { run } from './ground.ts'
import { refuseWriting } from './rules.ts'
import { wholePutsOn } from './whole-puts.ts'
import type { Commit, Stage, Staged } from './tasks/stage.ts'
import { holdOpen, receive } from './writing.ts'

type WriteOptions = Parameters<Storage['write']>[2]
type Writing = { readonly path: Path; readonly body: Incoming }

/** Writes what goes into storages of one root and its rules. */
export function writerOn(ground: Ground): Storage['write'] {
  const putWhole = wholePutsOn(ground)
  return async (path, body, op) => {
    refuseWriting(ground.rules)
    const { overwrite, ifMatch, sizeBytes = Number.POSITIVE_INFINITY } = op
    const isSmall = sizeBytes <= smallFileBytes && path !== root
    const isNew = overwrite === 'create' && ifMatch === undefined
    const bytes = isSmall && isNew ? await body.whole?.(sizeBytes) : null
    if (!bytes) return writeAsItComes(ground, { path, body }, op)
    const put = await putWhole({ path, bytes, hasParents: op.parents === true, signal: op.signal })
    tellMade(path, put, op)
    return put.entry
  }
}

/** Staged beside its place, flushed, and put there in one step; whatever fails before leaves no trace. */
async function writeAsItComes(ground: Ground, { path, body }: Writing, op: WriteOptions): Promise<Entry> {
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
      tellMade(path, staged, op)
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

function tellMade(path: Path, { madeDepths }: Pick<Staged, 'madeDepths'>, { onFolder }: WriteOptions): void {
  for (const depth of madeDepths) onFolder?.(`/${namesOf(path).slice(0, depth).join('/')}` as Path)
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
  commit: Omit<Commit, 'modifiedMs'> & { readonly modifiedMs?: number | undefined },
  lease: Lease,
): Promise<Entry> {
  const { turns } = ground.volume
  const { folderKey, name } = commit.staged
  return inTurn({ turns, line: `${folderKey}/${name}` }, async () => {
    const modifiedMs = commit.modifiedMs ?? ground.volume.modifiedMs()
    return run<Entry>(ground, { task: 'commit', input: { ...commit, modifiedMs }, lease })
  })
}
