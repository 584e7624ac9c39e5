import { TooComplexError } from '../markup/too-complex-error.ts'
import type { MarkdownCommand, MarkdownReply } from './markdown-messages.ts'
import type { HtmlPart } from './read-markdown.ts'

/** The members of a worker that reading a document uses. */
export type PartWorker = Pick<Worker, 'addEventListener' | 'postMessage' | 'terminate'>

/** The limits of the time in which a worker reads a document, in milliseconds. */
export type ReadingLimits = {
  /** The limit for one part. The first part includes the search for all blocks: 0.3 s for 2 MB on a slow laptop. */
  readonly partMs: number
  /** The limit for all parts together. */
  readonly documentMs: number
}

export const readingLimits: ReadingLimits = { partMs: 2000, documentMs: 10_000 }

type WorkerReader = {
  readonly worker: PartWorker
  readonly signal: AbortSignal
  readonly limits: ReadingLimits
}

/**
 * Yields the parts of a document, which a worker reads while the previous part is shown. The worker is terminated at the
 * end, and when it exceeds a limit. The time in which its code is loaded does not count.
 * @throws TooComplexError, an error when the worker cannot be loaded, and the reason of the signal.
 */
export async function* partsFromWorker(
  source: string,
  { worker, signal, limits }: WorkerReader,
): AsyncGenerator<HtmlPart, void> {
  const clock = createClock(limits)
  const send = (command: MarkdownCommand): Promise<MarkdownReply> => {
    const reply = replyOf(worker, signal)
    worker.postMessage(command, [])
    return clock.limit(reply)
  }
  try {
    await replyOf(worker, signal)
    let reply = await send({ kind: 'open', source })
    while (reply.kind === 'part') {
      const next = send({ kind: 'next' })
      // The reply is awaited after the part has been shown. Until then, its failure is not unhandled.
      next.catch(() => undefined)
      yield reply.part
      reply = await next
    }
    if (reply.kind === 'too-complex') throw new TooComplexError()
  } finally {
    worker.terminate()
  }
}

/** Returns the next message of a worker. */
function replyOf(worker: PartWorker, signal: AbortSignal): Promise<MarkdownReply> {
  const { promise, resolve, reject } = Promise.withResolvers<MarkdownReply>()
  const done = new AbortController()
  const options = { signal: done.signal }
  signal.throwIfAborted()
  signal.addEventListener('abort', () => reject(signal.reason as Error), options)
  worker.addEventListener('message', ({ data }: MessageEvent<MarkdownReply>) => resolve(data), options)
  worker.addEventListener('error', () => reject(new Error('The worker failed.')), options)
  return promise.finally(() => done.abort())
}

type WorkerClock = { readonly limit: (reply: Promise<MarkdownReply>) => Promise<MarkdownReply> }

/** The interval in milliseconds at which the time is counted. */
const tickMs = 50

/**
 * Counts the time for which a worker is waited for. Ticks of a timer are counted and not the time of day, because a page
 * that was busy or asleep would otherwise blame the worker.
 */
function createClock({ partMs, documentMs }: ReadingLimits): WorkerClock {
  let waitedMs = 0
  return {
    limit(reply) {
      const { promise, resolve, reject } = Promise.withResolvers<MarkdownReply>()
      const endMs = Math.min(waitedMs + partMs, documentMs)
      const timer = setInterval(() => {
        waitedMs += tickMs
        if (waitedMs >= endMs) reject(new TooComplexError())
      }, tickMs)
      reply.then(resolve, reject)
      return promise.finally(() => clearInterval(timer))
    },
  }
}
