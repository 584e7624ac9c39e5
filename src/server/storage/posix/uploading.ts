import { basename } from 'node:path'
import type { Entry } from '../../../shared/domain/entry.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { encodePath, parsePath, type Path } from '../../../shared/domain/path.ts'
import { inTurn } from '../../turns/turns.ts'
import type { Op, Storage, UploadPart, UploadSession } from '../port.ts'
import type { Lease } from './bytes/lease.ts'
import { withFailures } from './failures.ts'
import type { Ground } from './ground.ts'
import { run } from './ground.ts'
import { isStagedName } from './reserved.ts'
import { refuseWriting } from './rules.ts'
import type { Resumed, Upload } from './tasks/resume.ts'
import type { Stage, Staged } from './tasks/stage.ts'
import { putInPlace, takeBack } from './write.ts'
import { flushFile, holdOpen, receivePart } from './writing.ts'

/** The calls for uploads in parts: the staged file is all there is of one, and its length is how far it has come. */
export const uploadsOn = (
  ground: Ground,
): Pick<Storage, 'begin' | 'received' | 'put' | 'commit' | 'isPlaced' | 'abort'> => ({
  begin: async (path, op) => {
    refuseWriting(ground.rules)
    return begin(ground, path, op)
  },
  received: async (session, op) =>
    run<number>(ground, { task: 'lookAtStaged', input: uploadOf(session), op }),
  put: async (session, part, op) => {
    refuseWriting(ground.rules)
    return put(ground, { session, part }, op)
  },
  commit: async (session, op) => {
    refuseWriting(ground.rules)
    return commit(ground, session, op)
  },
  isPlaced: async ({ path }, { sizeBytes, modifiedMs, signal }) =>
    run<boolean>(ground, { task: 'isPlaced', input: { path, sizeBytes, modifiedMs }, op: { signal } }),
  abort: async (session, op) => {
    refuseWriting(ground.rules)
    await run(ground, { task: 'abandon', input: uploadOf(session), op })
  },
})

/** The staged file's path on disk that a token tells; null for one that is not of this adapter. */
export function stagedPathOf(token: string): string | null {
  const path = parsePath(token)?.path ?? null
  return path !== null && isStagedName(basename(path)) ? path : null
}

function uploadOf({ path, token }: UploadSession): Upload {
  const stagedPath = stagedPathOf(token)
  if (stagedPath === null) throw new AppError('not-found')
  return { path, stagedName: basename(stagedPath) }
}

type BeginOptions = Parameters<Storage['begin']>[1]

async function begin(ground: Ground, path: Path, op: BeginOptions): Promise<UploadSession> {
  const { overwrite, sizeBytes, parents } = op
  const stage: Stage = {
    path,
    overwrite,
    sizeBytes,
    dirMode: parents === true ? ground.volume.dirMode : null,
  }
  const staged = await run<Staged>(ground, { task: 'stage', input: stage, op, onLate: takeBack(ground) })
  await holdOpen(ground.volume.calls, [staged.file, staged.folder]).release()
  return { path, token: encodePath(staged.realPath as Path) }
}

type Putting = { readonly session: UploadSession; readonly part: UploadPart }

async function put(ground: Ground, { session, part }: Putting, op: Op = {}): Promise<number> {
  const { calls } = ground.volume
  return withStaged(ground, session, async ({ file, sizeBytes }, lease) => {
    if (sizeBytes !== part.offsetBytes) throw new AppError('wrong-offset')
    return receivePart({ to: { descriptor: file, calls, lease }, part, signal: op.signal })
  })
}

async function commit(
  ground: Ground,
  session: UploadSession,
  { overwrite, modifiedMs }: Parameters<Storage['commit']>[1],
): Promise<Entry> {
  const { calls, fileMode, flushes } = ground.volume
  return withStaged(ground, session, async (staged, lease) => {
    await flushFile({ descriptor: staged.file, calls, lease })
    const entry = await putInPlace(ground, { staged, overwrite, fileMode, modifiedMs }, lease)
    await flushes(staged.folderKey, { descriptor: staged.folder, calls, lease })
    if (!staged.isElsewhere) return entry
    return run<Entry>(ground, { task: 'stat', input: { path: session.path } })
  })
}

/** Works on a staged file, one at a time. */
async function withStaged<T>(
  ground: Ground,
  session: UploadSession,
  work: (staged: Resumed, lease: Lease) => Promise<T>,
): Promise<T> {
  return inTurn({ turns: ground.volume.turns, line: session.token }, async () => {
    const hold = ({ file, folder }: Resumed): Lease => holdOpen(ground.volume.calls, [file, folder])
    const staged = await run<Resumed>(ground, {
      task: 'resume',
      input: uploadOf(session),
      onLate: (late) =>
        void hold(late)
          .release()
          .catch(() => {}),
    })
    const lease = hold(staged)
    try {
      return await withFailures(async () => work(staged, lease))
    } finally {
      await lease.release()
    }
  })
}
