import { randomBytes } from 'node:crypto'
import type { Link } from '../../workers/serve.ts'
import { serve, threadData } from '../../workers/serve.ts'
import type { Calls } from './calls/calls.ts'
import { nodeCalls } from './calls/node-calls.ts'
import { loadSystemCalls } from './calls/system-calls.ts'
import { asFailure } from './failures.ts'
import { stagedNameOf } from './reserved.ts'
import type { Scene, Where } from './resolve.ts'
import { checksum } from './tasks/checksum.ts'
import { copy } from './tasks/copy.ts'
import { helpStat } from './listing/stat-together.ts'
import { find } from './tasks/trees/find.ts'
import { list } from './tasks/list.ts'
import { localFolder, openFile, openRoot, realFolder, stat } from './tasks/look.ts'
import { makeFolder } from './tasks/make-folder.ts'
import { move } from './tasks/move.ts'
import { measure } from './tasks/trees/measure.ts'
import { readTree } from './tasks/trees/read-tree.ts'
import { wholePutter } from './tasks/put-whole.ts'
import { remove } from './tasks/remove.ts'
import { abandon, isPlaced, lookAtStaged, resume } from './tasks/resume.ts'
import { checkStage, commit, discard, stage } from './tasks/stage.ts'
import { sweepStaged } from './tasks/sweep.ts'
import { isInPlace, whereNow } from './tasks/top.ts'
import { usage } from './tasks/usage.ts'
import { walk } from './tasks/trees/walk.ts'

/** What the pool tells its threads: whose calls to use. `auto` takes the kernel's where they work. */
export type ThreadData = { readonly calls: 'auto' | 'walk' }

const tasks = {
  abandon,
  checkStage,
  checksum,
  commit,
  copy,
  discard,
  helpStat,
  find,
  isPlaced,
  list,
  localFolder,
  lookAtStaged,
  makeFolder,
  measure,
  move,
  openFile,
  openRoot,
  putWhole: wholePutter(),
  readTree,
  realFolder,
  remove,
  resume,
  stage,
  stat,
  sweepStaged,
  usage,
  walk,
}

const calls: Calls =
  (threadData() as ThreadData).calls === 'walk' ? nodeCalls() : ((await loadSystemCalls()) ?? nodeCalls())
const newStagedName = (): string => stagedNameOf(randomBytes(16).toString('hex'))

type OnScene = (scene: Scene, input: never) => unknown

/** Who helps another thread is told of the root by that; others by the main thread, when it is another than the one before. */
type Told = { readonly where?: Where }

/** A task as the pool runs it: with the root it is confined to, and with our words for what goes wrong. */
const confined = (task: OnScene) => (input: Told, link: Link) => {
  const told = input.where ?? (link.context as Where)
  const onScene = (where: Where): unknown => task({ calls, link, where, newStagedName }, input as never)
  try {
    const done = isInPlace(told.top) ? onScene(told) : whereNow(told, link).then(onScene)
    return done instanceof Promise ? done.catch(throwFailure) : done
  } catch (error) {
    return throwFailure(error)
  }
}

function throwFailure(error: unknown): never {
  throw asFailure(error)
}

serve(Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, confined(task as OnScene)])))
