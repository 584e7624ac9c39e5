import { getSubtitle } from '../../shared/contract/subtitles.ts'
import { route, type Route } from '../http/route.ts'
import { createByteBudget } from '../concurrency/byte-budget.ts'
import { createKeyedLimiter } from '../concurrency/keyed-limiter.ts'
import { createThreadPool } from '../workers/thread-pool.ts'
import type { SubtitleTasks } from './thread.ts'
import { convertedBytesPerUser, openSubtitle, type SubtitleDependencies } from './open-subtitle.ts'

/** The bytes of converted subtitles that wait for slow clients of all users. */
const convertedBytes = 96 * 1024 * 1024

export type SubtitleModule = { readonly routes: readonly Route[]; close(): Promise<void> }

/** Maximum number of subtitles in memory: one subtitle is converted while the next subtitle is read. */
const maxSubtitlesInMemory = 2

/**
 * Creates the route that sends subtitles in the format that browsers support, and the thread that converts them
 * (contract 8.3).
 */
export function openSubtitles(): SubtitleModule {
  const thread = createThreadPool<SubtitleTasks>({ entry: new URL('./thread.ts', import.meta.url), size: 1 })
  const dependencies: SubtitleDependencies = {
    limiter: createKeyedLimiter({ maxConcurrent: maxSubtitlesInMemory }),
    memory: createByteBudget({ totalBytes: convertedBytes, bytesPerKey: convertedBytesPerUser }),
    toVtt: (input, signal) => thread.run('toVtt', input, { signal }),
  }
  return {
    routes: [
      route(getSubtitle, async ({ caller, path, query, signal }) => {
        const file = await openSubtitle(dependencies, caller, { path, signal })
        return { kind: 'file', file, isInline: query.inline === 'true', type: 'text/vtt; charset=utf-8' }
      }),
    ],
    close: () => thread.close(),
  }
}
