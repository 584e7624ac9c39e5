import { getSubtitle } from '../../shared/contract/subtitles.ts'
import { route, type Route } from '../http/route.ts'
import { createTurns } from '../turns/turns.ts'
import { createPool } from '../workers/pool.ts'
import { subtitle } from './subtitle.ts'

export type Subtitles = { readonly routes: readonly Route[]; close(): Promise<void> }

/** One is converted while the next is read. */
const atOnce = 2

/** Subtitles as browsers want them (contract 8.3). */
export function openSubtitles(): Subtitles {
  const thread = createPool({ entry: new URL('./thread.ts', import.meta.url), size: 1 })
  const turns = createTurns({ atOnce })
  return {
    routes: [
      route(getSubtitle, async (asked) =>
        subtitle({ turns, toVtt: (input, signal) => thread.run('toVtt', input, { signal }) }, asked),
      ),
    ],
    close: () => thread.close(),
  }
}
