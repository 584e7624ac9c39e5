import { AppError } from '../../../shared/domain/failure.ts'
import { root, type Path } from '../../../shared/domain/path.ts'
import type { Turns } from '../../turns/turns.ts'
import type { Pool } from '../../workers/pool.ts'
import type { RunOptions } from '../../workers/thread.ts'
import type { Op } from '../port.ts'
import type { AtOnce, Place as PlaceAtOnce } from './bytes/at-once.ts'
import type { Lease } from './bytes/lease.ts'
import type { PatientCalls } from './bytes/patient-calls.ts'
import type { Disks } from './disks.ts'
import { withFailures } from './failures.ts'
import type { Journal } from './journal.ts'
import type { OwnFiles } from './reserved.ts'
import type { Question, Where } from './resolve.ts'
import type { Root, Roots } from './roots.ts'
import type { FolderFlushes } from './writing.ts'
import type { Rules } from './rules.ts'
import { isJudged, refuseDenied, verdictsOn } from './rules.ts'
import type { OpenedRoot } from './tasks/look.ts'

/** What all storages of a volume share. */
export type VolumeParts = {
  readonly pool: Pool
  readonly disks: Disks
  /** Null where the kernel's calls are left alone. */
  readonly atOnce: AtOnce | null
  /** Calls on the bytes of files, which are made without it. */
  readonly calls: PatientCalls
  readonly roots: Roots
  readonly journal: Journal
  /** Puts files into the same place one after the other. */
  readonly turns: Turns
  readonly flushes: FolderFlushes
  /** The volume's own root: another one when its disk went and came. Some names at its top are not served. */
  top: Root
  /** Where the disk of the volume was mounted when it was opened; null where the system does not say. */
  readonly mountPoint: string | null
  readonly topNames: readonly string[]
  readonly followsExternal: boolean
  readonly fileMode: number
  readonly dirMode: number
  readonly own: () => OwnFiles
  /** A time of its own for each file that is written, in milliseconds. */
  readonly modifiedMs: () => number
}

/** A folder below a top of the volume; of no use below another. */
type Held = { readonly root: Root; readonly top: Root }

/** A root with the rules that hold in it: what a storage is made of. Without one of its own it is the top, whichever that is. */
export type Ground = { readonly volume: VolumeParts; readonly held: Held | null; readonly rules: Rules }

type Input = Readonly<Record<string, unknown>> & {
  readonly path?: Path
  readonly from?: Path
  readonly to?: Path
  readonly staged?: { readonly realPath: string }
}

/** What a thread is asked to do. */
export type Job<T = unknown> = {
  readonly task: string
  readonly input: Input
  readonly op?: Op | undefined
  /** It is over as soon as the disk has answered a few calls. */
  readonly isShort?: boolean
  /** For removing what may be a large tree in one call. */
  readonly isUnlimited?: boolean
  /** Descriptors that the task works on. */
  readonly lease?: Lease | undefined
  /** Gets what a task gave after it had been given up: descriptors that nobody has asked for any more. */
  readonly onLate?: ((value: T) => void) | undefined
}

/** Runs a task on the root. */
export async function run<T>(
  ground: Ground,
  { task, input, op = {}, lease, onLate, isShort, isUnlimited }: Job<T>,
): Promise<T> {
  const options = optionsOf(ground, input, op)
  let isGivenUp = false
  const letGo = lease?.use()
  const onOver = (value: unknown): void => {
    letGo?.()
    if (isGivenUp && value !== undefined) onLate?.(value as T)
  }
  try {
    return await ground.volume.pool.run<T>(task, input, { ...options, onOver, isShort, isUnlimited })
  } catch (error) {
    isGivenUp = true
    throw error
  }
}

/** Runs a task on the root that sends its answer piece by piece; gives what the task gives in the end. */
export function stream<T>(
  ground: Ground,
  { task, input, op = {} }: Pick<Job, 'task' | 'input' | 'op'>,
): AsyncGenerator<T, unknown> {
  return ground.volume.pool.stream<T>(task, input, optionsOf(ground, input, op))
}

/** Where a path begins that is looked at without a thread; refuses what is denied as it stands. */
export function placeOf(ground: Ground, path: Path): PlaceAtOnce {
  const where = whereOf(ground)
  refuseDeniedIn(ground, { path }, where)
  const { top } = ground.volume
  return { where, root: ground.held?.root ?? top, top }
}

/** Refuses a path that is denied as it stands. */
export function refuseDeniedAt(ground: Ground, path: Path): void {
  refuseDeniedIn(ground, { path }, whereOf(ground))
}

function refuseDeniedIn({ rules }: Ground, { path, from, to }: Input, { topNames }: Where): void {
  if (path !== undefined) refuseDenied(rules, path, topNames)
  if (from !== undefined) refuseDenied(rules, from, topNames)
  if (to !== undefined) refuseDenied(rules, to, topNames)
}

/** The last one of each root: as long as it holds, threads need not be told of it again. */
const known = new WeakMap<Root, { readonly where: Where; readonly top: Root }>()

function whereOf(ground: Ground): Where {
  const { volume, held, rules } = ground
  const { top } = volume
  if (held !== null && held.top !== top) throw new AppError('unavailable')
  const { root } = held ?? { root: top }
  const last = known.get(root)
  const own = volume.own()
  const isStill =
    last !== undefined &&
    last.top === top &&
    last.where.own === own &&
    last.where.isJudged === isJudged(rules) &&
    last.where.top.mayRenew === (held === null)
  if (last !== undefined && isStill) return last.where
  const where = whereIn(ground, root, own)
  known.set(root, { where, top })
  return where
}

function whereIn({ volume, held, rules }: Ground, root: Root, own: OwnFiles): Where {
  const { top } = volume
  return {
    root: root.descriptor,
    top: {
      descriptor: top.descriptor,
      dev: top.dev,
      ino: top.ino,
      realPath: top.realPath,
      mountPoint: volume.mountPoint,
      mayRenew: held === null,
    },
    topNames: root === top ? volume.topNames : [],
    followsExternal: volume.followsExternal,
    isJudged: isJudged(rules),
    own,
  }
}

/** The first path that a task is about; a staged file lies beside its place. */
const placeIn = ({ path, from, staged }: Input): Place =>
  staged === undefined ? { path: path ?? from ?? root } : { path: staged.realPath as Path, isReal: true }

/** `isReal`: on the disk, not below the root. */
type Place = { readonly path: Path; readonly isReal?: boolean }

/** What a thread is told of the root goes with them. Paths that are denied as they stand are refused before it is troubled. */
function optionsOf(ground: Ground, input: Input, { signal }: Op): RunOptions {
  const { volume, held, rules } = ground
  const context = whereOf(ground)
  refuseDeniedIn(ground, input, context)
  const { path, isReal = false } = placeIn(input)
  const answer = async (question: Question): Promise<unknown> => {
    if (question.kind === 'staged') return withFailures(async () => volume.journal.add(question.path))
    if (question.kind === 'top') return renewTop(volume, question.opened)
    return verdictsOn(rules, question)
  }
  const folder = isReal ? '' : (held?.root ?? volume.top).realPath
  const on = volume.disks(folder, path)
  return { signal, answer, holds: held ?? volume.top, on, context }
}

/** The descriptor of what stands in the top's place now; several tasks may have found it at once. */
function renewTop(volume: VolumeParts, opened: OpenedRoot): number {
  volume.top = volume.roots.keep(opened)
  return volume.top.descriptor
}
