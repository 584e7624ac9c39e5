import { codeOf } from '../../../shared/domain/failure.ts'
import { nameOf, parentOf, type Path } from '../../../shared/domain/path.ts'
import { createTogether } from '../../turns/together.ts'
import { errorOf } from '../../workers/sent-failure.ts'
import { refuseDeniedAt, run, type Ground } from './ground.ts'
import type { Put, PutOutcome, WholePuts } from './tasks/put-whole.ts'

/** A small new file whose bytes have come. */
export type WholePut = {
  readonly path: Path
  readonly bytes: Uint8Array
  /** Makes the folders above that are missing. */
  readonly hasParents: boolean
  readonly signal: AbortSignal | undefined
}

type Waiting = WholePut & {
  readonly modifiedMs: number
  /** Nobody waits for it any more. */
  isAborted: boolean
  /** Tells the thread that has it. */
  onAbort: () => void
}

/** Visits of threads for one folder, and files that one takes. */
const [visitsAtOnce, mostFiles] = [2, 16]

/**
 * Puts small new files into their folders, each flushed and in its place when it is answered. Those for the same folder that come while
 * a thread is at it go to the next one together: they cost it one visit, and the folder one flush. Whoever gives up, the client or we,
 * nothing is put in place for them afterwards.
 */
export function wholePutsOn(ground: Ground): (put: WholePut) => Promise<Put> {
  const { calls, modifiedMs } = ground.volume
  const together = createTogether<Waiting, Put>({
    atOnce: visitsAtOnce,
    mostInOne: mostFiles,
    go: async (files) => visit(ground, files),
    // Of a disk that does not answer.
    isForAll: (error) => codeOf(error) === 'timeout',
  })
  return async (put) => {
    const { path, hasParents, signal } = put
    refuseDeniedAt(ground, path)
    const waiting: Waiting = {
      ...put,
      modifiedMs: modifiedMs(),
      isAborted: signal?.aborted === true,
      onAbort: () => {},
    }
    const abort = (): void => {
      waiting.isAborted = true
      waiting.onAbort()
    }
    signal?.addEventListener('abort', abort, { once: true })
    const line = `${hasParents} ${parentOf(path)}`
    try {
      return await calls(async () => together(line, waiting), { isFlushing: true })
    } catch (error) {
      abort()
      throw error
    } finally {
      signal?.removeEventListener('abort', abort)
    }
  }
}

/** One or more files, all for the same folder. */
async function visit(ground: Ground, waiting: readonly Waiting[]): Promise<PromiseSettledResult<Put>[]> {
  const { dirMode, fileMode } = ground.volume
  const [{ path, hasParents }] = waiting as readonly [Waiting]
  const aborted = new Int32Array(new SharedArrayBuffer(waiting.length * Int32Array.BYTES_PER_ELEMENT))
  for (const [at, one] of waiting.entries()) {
    one.onAbort = () => void Atomics.store(aborted, at, 1)
    if (one.isAborted) one.onAbort()
  }
  const input: WholePuts = {
    path,
    dirMode: hasParents ? dirMode : null,
    fileMode,
    files: waiting.map((one) => ({
      name: nameOf(one.path),
      sizeBytes: one.bytes.length,
      modifiedMs: one.modifiedMs,
    })),
    bytes: joined(waiting),
    aborted,
  }
  return (await run<readonly PutOutcome[]>(ground, { task: 'putWhole', input })).map(settled)
}

/** In memory of its own: a thread is sent all of the memory that bytes lie in, and `Buffer.concat` may share it with others. */
function joined(files: readonly WholePut[]): Uint8Array {
  const all = new Uint8Array(files.reduce((sum, { bytes }) => sum + bytes.length, 0))
  let at = 0
  for (const { bytes } of files) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

const settled = (outcome: PutOutcome): PromiseSettledResult<Put> =>
  'failure' in outcome
    ? { status: 'rejected', reason: errorOf(outcome.failure) }
    : { status: 'fulfilled', value: outcome }
