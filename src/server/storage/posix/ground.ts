import { AppError } from '../../../shared/domain/failure.ts'
import type { Path } from '../../../shared/domain/path.ts'
import type { Turns } from '../../turns/turns.ts'
import type { Pool, RunOptions } from '../../workers/pool.ts'
import type { Op } from '../port.ts'
import { withFailures } from './failures.ts'
import type { Journal } from './journal.ts'
import type { OwnFiles } from './reserved.ts'
import type { Question, Where } from './resolve.ts'
import type { Root, Roots } from './roots.ts'
import type { Rules } from './rules.ts'
import { isJudged, refuseDenied, verdictsOn } from './rules.ts'
import type { OpenedRoot } from './tasks/look.ts'

/** What all storages of a volume share. */
export type VolumeParts = {
  readonly pool: Pool
  readonly roots: Roots
  readonly journal: Journal
  /** Puts files into the same place one after the other. */
  readonly turns: Turns
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
}

/** What a thread is asked to do. */
export type Job = { readonly task: string; readonly input: Input; readonly op?: Op | undefined }

/** Runs a task on the root. */
export async function run<T>(ground: Ground, { task, input, op = {} }: Job): Promise<T> {
  return ground.volume.pool.run<T>(task, inputOf(ground, input), optionsOf(ground, op))
}

/** A task's input; paths that are denied as they stand are refused before a thread is troubled. */
export function inputOf(ground: Ground, input: Input): object {
  const where = whereOf(ground)
  for (const path of [input.path, input.from, input.to]) {
    if (path !== undefined) refuseDenied(ground.rules, path, where.topNames)
  }
  return { ...input, where }
}

function whereOf({ volume, held, rules }: Ground): Where {
  const { top } = volume
  if (held !== null && held.top !== top) throw new AppError('unavailable')
  const { root } = held ?? { root: top }
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
    own: volume.own(),
  }
}

export function optionsOf({ volume, held, rules }: Ground, { signal }: Op): RunOptions {
  const answer = async (question: Question): Promise<unknown> => {
    if (question.kind === 'staged') return withFailures(async () => volume.journal.add(question.path))
    if (question.kind === 'top') return renewTop(volume, question.opened)
    return verdictsOn(rules, question)
  }
  return { signal, answer, holds: held ?? volume.top }
}

/** The descriptor of what stands in the top's place now; several tasks may have found it at once. */
function renewTop(volume: VolumeParts, opened: OpenedRoot): number {
  volume.top = volume.roots.keep(opened)
  return volume.top.descriptor
}
