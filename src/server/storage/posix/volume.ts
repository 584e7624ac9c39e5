import { randomBytes } from 'node:crypto'
import { constants, openSync, realpathSync, statSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { isText } from '../../../shared/domain/name-bytes.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import { createTurns } from '../../turns/turns.ts'
import { createPool } from '../../workers/pool.ts'
import type { Patience } from '../../workers/watch.ts'
import type { Volume } from '../port.ts'
import type { Ground, VolumeParts } from './ground.ts'
import { run } from './ground.ts'
import { createAtOnce } from './bytes/at-once.ts'
import { createPatientCalls } from './bytes/patient-calls.ts'
import { createDisks } from './disks.ts'
import { createJournal } from './journal.ts'
import type { OwnFiles } from './reserved.ts'
import { stagedNameOf, topNamesOf } from './reserved.ts'
import { createRoots } from './roots.ts'
import { noRules } from './rules.ts'
import { storageOf } from './storage.ts'
import { mountIdOf } from './calls/descriptors.ts'
import { foldsCase } from './calls/folds-case.ts'
import type { Swept } from './tasks/sweep.ts'
import { mountOf } from './tasks/top.ts'
import type { ThreadData } from './thread.ts'
import { stagedPathOf } from './uploading.ts'
import { createFolderFlushes, flushFolderOf } from './writing.ts'

export type PosixOptions = {
  /** The folder on disk that is served. */
  readonly root: string
  /** `walk` leaves the kernel's calls alone even where they work. */
  readonly calls?: 'auto' | 'walk'
  /** Permission bits of new files and folders, before the umask takes its share. */
  readonly fileMode?: number
  readonly dirMode?: number
  /** The server's own files, which are never served wherever they lie; asked for each call. */
  readonly own?: () => OwnFiles
  readonly followExternalSymlinks?: boolean
  /** A folder of the server's own that remembers what is staged. Without it nothing can be swept after a crash. */
  readonly stateFolder?: string
  readonly threads?: number
  /** How many threads Node makes its own calls with: those on bytes take a quarter of them at most. Four by default, as Node has. */
  readonly nodeThreads?: number
  /** How long a call of the system may hang before it is answered with `timeout`. */
  readonly deadlineMs?: number
  readonly id?: string
  readonly nowMs?: () => number
}

const nothingOwn: OwnFiles = { files: [], prefixes: [] }

/** A folder of this machine as a volume. Throws what the system says when it cannot be opened. */
export function createPosixVolume(options: PosixOptions): Volume {
  const realPath = realpathSync(options.root)
  const { volume, ground } = foundations(options, realPath)
  const removeStaged = async (paths: readonly string[]): Promise<Swept> =>
    paths.length === 0
      ? { removed: 0, left: [] }
      : run<Swept>(ground, { task: 'sweepStaged', input: { paths }, isUnlimited: true })
  return {
    ...storageOf(ground),
    id: options.id ?? 'posix',
    name: basename(realPath) || '/',
    foldsCase: foldsCase(realPath, stagedNameOf(randomBytes(16).toString('hex'))),
    pathOnDisk: (path) => (isText(path) ? resolve(options.root, `.${path}`) : null),
    realFolder: async (path, op) => run<Path>(ground, { task: 'realFolder', input: { path }, op }),
    async sweep(keeps = []) {
      const kept = new Set(stagedPathsOf(keeps))
      const old = await volume.journal.takeOld()
      const { removed, left } = await removeStaged(old.filter((path) => !kept.has(path)))
      // A later start may be able to. What is noted anew is not old.
      await Promise.all(left.map((path) => volume.journal.add(path)))
      await volume.journal.forgetOld()
      return removed
    },
    discard: async (tokens) => (await removeStaged(stagedPathsOf(tokens))).removed,
    async close() {
      await volume.pool.close()
      volume.roots.drop(volume.top)
    },
  }
}

const stagedPathsOf = (tokens: readonly string[]): string[] =>
  tokens.flatMap((token) => stagedPathOf(token) ?? [])

function foundations(options: PosixOptions, realPath: string): { volume: VolumeParts; ground: Ground } {
  const descriptor = openSync(realPath, constants.O_RDONLY | constants.O_DIRECTORY)
  const { dev, ino } = statSync(realPath, { bigint: true })
  const data: ThreadData = { calls: options.calls ?? 'auto' }
  const entry = new URL('./thread.ts', import.meta.url)
  const roots = createRoots()
  const mountId = mountIdOf(descriptor)
  const umask = process.umask()
  const deadlineMs = options.deadlineMs ?? 30_000
  const top = roots.keep({ descriptor, dev, ino, mountId, path: root, realPath })
  const volume: VolumeParts = {
    pool: createPool({ entry, size: options.threads ?? 4, data, patience: patienceOf(deadlineMs) }),
    disks: createDisks(Date.now),
    atOnce: options.calls === 'walk' ? null : createAtOnce(top, () => performance.now()),
    calls: createPatientCalls({ most: Math.max(2, Math.floor((options.nodeThreads ?? 4) / 4)), deadlineMs }),
    roots,
    journal: createJournal(options.stateFolder),
    turns: createTurns({ atOnce: 1 }),
    flushes: createFolderFlushes(flushFolderOf),
    top,
    mountPoint: mountOf(descriptor)?.point ?? null,
    topNames: topNamesOf(realPath),
    followsExternal: options.followExternalSymlinks ?? false,
    fileMode: (options.fileMode ?? 0o640) & ~umask,
    dirMode: options.dirMode ?? 0o750,
    own: options.own ?? (() => nothingOwn),
    modifiedMs: distinctTimes(options.nowMs ?? Date.now),
  }
  return { volume, ground: { volume, held: null, rules: noRules } }
}

/** A thread that makes no progress gets no more work long before what it has is given up. */
const patienceOf = (deadlineMs: number): Patience => ({
  slowMs: Math.min(500, deadlineMs / 4),
  deadlineMs,
  mostSlowOnOne: 8,
  mostThreads: 24,
})

/** The time, but later by a microsecond at least than the last one given, so that no two versions of a file look alike. */
function distinctTimes(nowMs: () => number): () => number {
  let last = 0
  return () => {
    last = Math.max(nowMs(), last + 0.001)
    return last
  }
}
