import { setTimeout as sleep } from 'node:timers/promises'
import type { ArchiveProgress } from '../../../shared/contract/archives.ts'
import { codeOf } from '../../../shared/domain/failure.ts'

/** The progress of work so far. The work updates the object. */
export type WorkProgress = { -readonly [Key in keyof ArchiveProgress]: ArchiveProgress[Key] }

/** Work that reports its progress, and that ends when the signal aborts. */
export type ReportingWork = (progress: WorkProgress, signal: AbortSignal) => Promise<void>

/** The interval between two lines in milliseconds. */
const intervalMs = 250

/**
 * Does work, and yields its progress as lines of JSON until it ends. The work is aborted when the consumer stops early,
 * which is the case when the client has left.
 */
export async function* progressLines(
  work: ReportingWork,
  { signal, onFault }: { readonly signal: AbortSignal; readonly onFault: (error: unknown) => void },
): AsyncGenerator<string, void> {
  const stopped = new AbortController()
  const progress: WorkProgress = {}
  const outcome = work(progress, AbortSignal.any([signal, stopped.signal])).then(
    (): ArchiveProgress => ({ isDone: true }),
    (error: unknown): ArchiveProgress => {
      const code = codeOf(error)
      if (code === 'internal') onFault(error)
      return { error: code }
    },
  )
  try {
    for (;;) {
      const timer = new AbortController()
      const pause = sleep(intervalMs, null, { signal: timer.signal }).catch(() => null)
      const end = await Promise.race([outcome, pause])
      timer.abort()
      yield `${JSON.stringify({ ...progress, ...end })}\n`
      if (end !== null) return
    }
  } finally {
    stopped.abort()
    await outcome
  }
}

/** Adds the bytes to the progress, and copies each chunk, because its source may use the memory of a chunk again. */
export async function* counted(
  chunks: AsyncIterable<Uint8Array>,
  progress: WorkProgress,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    progress.bytes = (progress.bytes ?? 0) + chunk.length
    yield Buffer.from(chunk)
  }
}
