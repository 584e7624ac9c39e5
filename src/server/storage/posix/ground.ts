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

/** What all storages of a volume share. */
export type VolumeParts = {
  readonly pool: Pool
  readonly roots: Roots
  readonly journal: Journal
  /** Puts files into the same place one after the other. */
  readonly turns: Turns
  /** The volume's own root, at whose top some names are not served. */
  readonly topKey: string
  readonly topNames: readonly string[]
  readonly followsExternal: boolean
  readonly fileMode: number
  readonly dirMode: number
  readonly own: () => OwnFiles
  /** A time of its own for each file that is written, in milliseconds. */
  readonly modifiedMs: () => number
}

/** A root with the rules that hold in it: what a storage is made of. */
export type Ground = { readonly volume: VolumeParts; readonly root: Root; readonly rules: Rules }

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

function whereOf({ volume, root, rules }: Ground): Where {
  return {
    root: root.descriptor,
    topNames: root.key === volume.topKey ? volume.topNames : [],
    followsExternal: volume.followsExternal,
    isJudged: isJudged(rules),
    own: volume.own(),
  }
}

export function optionsOf({ volume, root, rules }: Ground, { signal }: Op): RunOptions {
  const answer = async (question: Question): Promise<unknown> =>
    question.kind === 'staged'
      ? withFailures(async () => volume.journal.add(question.path))
      : verdictsOn(rules, question)
  return { signal, answer, holds: root }
}
