import type { FileSystemCalls, StatColumns } from '../calls/file-system-calls.ts'
import { disposable, openFlags, reopen } from '../calls/descriptors.ts'
import { sharedWords, type PackedNames } from '../calls/packed-names.ts'
import type { TaskContext } from '../resolution/task-context.ts'

/**
 * Number of entries in one chunk of work. A thread that completes a chunk takes the next chunk that no thread has
 * taken.
 */
const chunkRows = 2048

/** Number of entries up to which requesting help from another thread costs more than it saves. */
export const helperThreshold = 4 * chunkRows

/**
 * Time in milliseconds that the requesting thread waits for the helping thread to complete a chunk. If no chunk is
 * completed in this time, the requesting thread reads the metadata of all entries without help.
 */
const maxWaitMs = 2000

/**
 * Work that two threads share: reading the metadata of many entries. Each thread repeatedly takes the next chunk. All
 * data is in shared memory.
 */
export type SharedStatWork = {
  readonly folder: number
  readonly names: PackedNames
  readonly indices: Uint32Array
  readonly columns: StatColumns
  /** Two counters: the index of the next chunk to take, and the number of completed chunks. */
  readonly counters: Int32Array
}

type SharedStatRequest = Pick<SharedStatWork, 'folder' | 'names' | 'columns'> & {
  readonly members: readonly Uint32Array[]
}

/**
 * Reads the metadata of all entries in `members`, one list after the other. If a worker thread is idle, it processes
 * some of the entries.
 */
export function statShared(
  context: TaskContext,
  { folder, names, columns, members }: SharedStatRequest,
): void {
  const indices = sharedWords(members.reduce((sum, part) => sum + part.length, 0))
  let filled = 0
  for (const part of members) {
    indices.set(part, filled)
    filled += part.length
  }
  const counters = new Int32Array(new SharedArrayBuffer(8))
  const work: SharedStatWork = { folder, names, indices, columns, counters }
  if (indices.length > helperThreshold)
    context.link.requestHelp('helpStat', { rootContext: context.rootContext, work })
  statChunks(context, work)
  const chunks = Math.ceil(indices.length / chunkRows)
  for (let completed = Atomics.load(counters, 1); completed < chunks; completed = Atomics.load(counters, 1)) {
    if (Atomics.wait(counters, 1, completed, maxWaitMs) !== 'timed-out') continue
    context.calls.statEntries({ folder, names, indices }, columns)
    return
  }
}

/**
 * The task of the helping thread, which processes chunks of the shared work. It opens the folder again, because the
 * requesting thread may close its descriptor first.
 */
export function helpStat(context: TaskContext, { work }: { readonly work: SharedStatWork }): void {
  if (Atomics.load(work.counters, 0) * chunkRows >= work.indices.length) return
  using folder = disposable(reopen(work.folder, openFlags.folder))
  const { bytes } = work.names
  const names = { ...work.names, bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
  statChunks(context, { ...work, names, folder: folder.descriptor })
}

function statChunks(
  { calls, link }: { readonly calls: FileSystemCalls; readonly link: TaskContext['link'] },
  work: SharedStatWork,
): void {
  const { folder, names, indices, columns, counters } = work
  for (;;) {
    link.throwIfAborted()
    const from = Atomics.add(counters, 0, 1) * chunkRows
    if (from >= indices.length) return
    calls.statEntries({ folder, names, indices: indices.subarray(from, from + chunkRows) }, columns)
    Atomics.add(counters, 1, 1)
    Atomics.notify(counters, 1)
  }
}
