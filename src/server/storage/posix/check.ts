import type { Meant, Op } from '../port.ts'
import type { Ground, Job } from './ground.ts'
import { run } from './ground.ts'
import { refuseReading, refuseWriting } from './rules.ts'

/** Runs the task that would make the change as far as it only judges. */
export async function check(ground: Ground, meant: Meant, op: Op | undefined): Promise<void> {
  refuseWriting(ground.rules)
  if (meant.kind === 'copy') refuseReading(ground.rules)
  await run(ground, { ...trialOf(meant, ground.volume.dirMode), op })
}

function trialOf(meant: Meant, dirMode: number): Job {
  const { path } = meant
  const isTrial = true
  if (meant.kind === 'write') {
    const { overwrite, sizeBytes, ifMatch, parents } = meant
    const input = { path, overwrite, sizeBytes, ifMatch, dirMode: parents === true ? dirMode : null }
    return { task: 'checkStage', input }
  }
  if (meant.kind === 'makeFolder') {
    const [hasParents, mayExist] = [meant.parents === true, meant.mayExist === true]
    return { task: 'makeFolder', input: { path, hasParents, mayExist, dirMode, isTrial } }
  }
  if (meant.kind === 'remove') {
    return { task: 'remove', input: { path, recursive: meant.recursive, isTrial } }
  }
  const { kind, to, overwrite } = meant
  return { task: kind, input: { from: path, to, overwrite, dirMode, isTrial } }
}
