import type { Seat } from '../calls/calls.ts'
import { flushFolder, linkAt, realPathOf, renameAt, unlinkAt } from '../calls/descriptors.ts'
import { extOf } from '../calls/ext.ts'
import type { Question, Scene } from '../resolve.ts'

/** Has the journal know of a staged name, so that it does not outlive a crash; gives its path on disk. */
export async function noteStaged({ link }: Scene, { folder, name }: Seat): Promise<string> {
  const question: Question = { kind: 'staged', path: `${realPathOf(folder)}/${name}` }
  await link.ask(question)
  return question.path
}

/**
 * Renames a staged file over one that stands in the same folder. Ext without a journal may have on the disk that the old file is gone
 * before the new one has its name there, and after a power cut neither is found: so the old one keeps another name until the new one's
 * is flushed.
 */
export async function replaceBy(scene: Scene, staged: Seat, seat: Seat): Promise<void> {
  const kept = isBare(scene, seat.folder) ? await keepOld(scene, seat) : null
  try {
    renameAt(staged, seat)
    if (kept !== null) flushFolder(seat.folder)
  } finally {
    if (kept !== null) unlinkAt(kept)
  }
}

const isBare = ({ calls }: Scene, folder: number): boolean =>
  extOf(folder, calls.facts(folder).dev) === 'bare'

/** Null where the system does not let it have another name. */
async function keepOld(scene: Scene, seat: Seat): Promise<Seat | null> {
  const kept = { folder: seat.folder, name: scene.newStagedName() }
  await noteStaged(scene, kept)
  try {
    linkAt(seat, kept)
    return kept
  } catch {
    return null
  }
}
