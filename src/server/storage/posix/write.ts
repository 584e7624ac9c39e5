import type { Entry } from '../../../shared/domain/entry.ts'
import { namesOf, type Path } from '../../../shared/domain/path.ts'
import { inTurn } from '../../turns/turns.ts'
import type { Incoming, Storage } from '../port.ts'
import { codeOf } from '../../../shared/domain/failure.ts'
import type { Lease } from './bytes/lease.ts'
import { withFailures } from './failures.ts'
import type { Ground } from './ground.ts'
import { run } from './ground.ts'
import type { Put } from './tasks/put-whole.ts'
import type { Commit, Stage, Staged } from './tasks/stage.ts'
import { holdOpen, receive } from './writing.ts'

type WriteOptions = Parameters<Storage['write']>[2]
type Writing = { readonly path: Path; readonly body: Incoming }

/** What is no larger is written in one visit of a thread when it has come already. */
const smallBytes = 64 * 1024

export async function write(ground: Ground, { path, body }: Writing, op: WriteOptions): Promise<Entry> {
  const { overwrite, sizeBytes = Number.POSITIVE_INFINITY } = op
  const isSmallAndNew = overwrite === 'create' && sizeBytes <= smallBytes
  const bytes = isSmallAndNew ? await body.whole?.(sizeBytes) : null
  return bytes ? putWhole(ground, { path, bytes }, op) : writeAsItComes(ground, { path, body }, op)
}

type Putting = { readonly path: Path; readonly bytes: Uint8Array }

/** Whoever gives up, the client or we, nothing is put in place for them afterwards. */
async function putWhole(ground: Ground, { path, bytes }: Putting, op: WriteOptions): Promise<Entry> {
  const { calls, dirMode, fileMode, modifiedMs } = ground.volume
  const { overwrite, ifMatch, sizeBytes } = op
  const control = new AbortController()
  const abort = (): void => control.abort()
  if (op.signal?.aborted === true) abort()
  op.signal?.addEventListener('abort', abort, { once: true })
  const input = {
    path,
    overwrite,
    ifMatch,
    sizeBytes,
    fileMode,
    bytes: Uint8Array.from(bytes),
    modifiedMs: modifiedMs(),
    dirMode: op.parents === true ? dirMode : null,
  }
  const job = { task: 'putWhole', input, op: { signal: control.signal } }
  try {
    const put = await calls(async () => run<Put>(ground, job), { isFlushing: true })
    tellMade(path, put, op)
    return put.entry
  } catch (error) {
    abort()
    throw error
  } finally {
    op.signal?.removeEventListener('abort', abort)
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
