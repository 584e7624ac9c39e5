import type { Calls, StatColumns } from '../calls/calls.ts'
import { hold, opening, reopen } from '../calls/descriptors.ts'
import type { PackedNames } from '../calls/packed-names.ts'
import { sharedWords } from '../calls/packed-names.ts'
import type { Scene } from '../resolve.ts'

/** Entries looked at between two looks at who does what. */
const chunkRows = 2048

/** Fewer are not worth another thread. */
export const fewAlone = 4 * chunkRows

/** How long one chunk of another thread may take before it counts as lost. */
const mostWaitMs = 2000

/** The work that threads share: whoever is free takes the next chunk. All of it lies in shared memory. */
export type StatWork = {
  readonly folder: number
  readonly names: PackedNames
  readonly indices: Uint32Array
  readonly columns: StatColumns
  /** The next chunk to take, and how many are done. */
  readonly turns: Int32Array
}

type Together = Pick<StatWork, 'folder' | 'names' | 'columns'> & { readonly members: readonly Uint32Array[] }

/** Fills in the facts of all members, in the order of the disk, with the help of another thread where one is idle. */
export function statTogether(scene: Scene, { folder, names, columns, members }: Together): void {
  const indices = sharedWords(members.reduce((sum, part) => sum + part.length, 0))
  let filled = 0
  for (const part of members) {
    indices.set(part, filled)
    filled += part.length
  }
  const turns = new Int32Array(new SharedArrayBuffer(8))
  const work: StatWork = { folder, names, indices, columns, turns }
  if (indices.length > fewAlone) scene.link.callHelp('helpStat', { where: scene.where, work })
  takeChunks(scene, work)
  const chunks = Math.ceil(indices.length / chunkRows)
  for (let done = Atomics.load(turns, 1); done < chunks; done = Atomics.load(turns, 1)) {
    if (Atomics.wait(turns, 1, done, mostWaitMs) !== 'timed-out') continue
    scene.calls.statEntries({ folder, names, indices }, columns)
    return
  }
}

/** The task of the thread that helps. It opens the folder for itself: the other one may end first. */
export function helpStat(scene: Scene, { work }: { readonly work: StatWork }): void {
  if (Atomics.load(work.turns, 0) * chunkRows >= work.indices.length) return
  using folder = hold(reopen(work.folder, opening.folder))
  const { bytes } = work.names
  const names = { ...work.names, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
  takeChunks(scene, { ...work, names, folder: folder.descriptor })
}

function takeChunks(
  { calls, link }: { readonly calls: Calls; readonly link: Scene['link'] },
  work: StatWork,
): void {
  const { folder, names, indices, columns, turns } = work
  for (;;) {
    link.check()
    const from = Atomics.add(turns, 0, 1) * chunkRows
    if (from >= indices.length) return
    calls.statEntries({ folder, names, indices: indices.subarray(from, from + chunkRows) }, columns)
    Atomics.add(turns, 1, 1)
    Atomics.notify(turns, 1)
  }
}
