import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { parseNameQuery } from '../../shared/domain/name-query.ts'
import type { Path } from '../../shared/domain/path.ts'
import type { Actor } from '../access/actor.ts'
import type { ResponseMemory } from '../concurrency/reading-memory.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { NameSearchMatches } from '../storage/port.ts'
import { hitLines, hitList, withUnsearched } from './hit-formats.ts'
import { withHeartbeats } from './with-heartbeats.ts'

/**
 * The bytes of the matches that were found in advance of the client. This is an estimate, not a measurement: batches of
 * matches with the longest paths, of 4 kB, take about 1.5 MB.
 */
const searchBytes = 2 * 1024 * 1024

export type SearchDependencies = {
  readonly limiter: KeyedLimiter
  /** The time in milliseconds without a hit after which a heartbeat is sent. */
  readonly heartbeatMs: number
}

/**
 * The form of the hits: one JSON array, one JSON value per line, or one line per hit with its size and time, of a limited
 * number of hits.
 */
export type HitForm = 'array' | 'lines' | 'described-lines'

/** A search for names below a folder. */
export type SearchRequest = {
  readonly path: Path
  readonly text: string
  readonly ignoresAccents: boolean
  readonly needsAllTerms: boolean
  /** True when names also match by abbreviations. */
  readonly abbreviations: boolean
  readonly form: HitForm
  readonly reading: ResponseMemory
  readonly signal: AbortSignal
}

/**
 * Searches for names below a folder and returns the hits as text, as they are found. The search ends with its signal.
 * The number of concurrent searches of each user is limited, and further searches wait.
 */
export function search(
  { limiter, heartbeatMs }: SearchDependencies,
  { user, storage }: Actor,
  { path, text, form, reading, signal, abbreviations, ...options }: SearchRequest,
): AsyncIterable<string> {
  if (byteLength(text) > limits.searchQueryBytes)
    throw new AppError('bad-request', { reason: 'the search is too long' })
  const query = parseNameQuery(text, options)
  let unsearched = 0
  async function* startSearch(until: AbortSignal): AsyncGenerator<NameSearchMatches, void> {
    const release = await limiter.acquire(user.id, until)
    try {
      if (!reading.hold(searchBytes)) await reading.wait(searchBytes)
      yield* storage.find(path, {
        query,
        describes: form === 'described-lines',
        abbreviations,
        onUnreachable: (count) => (unsearched += count),
        signal: until,
      })
    } finally {
      release()
    }
  }
  const batches = withHeartbeats({ open: startSearch, signal, everyMs: heartbeatMs })
  if (form === 'described-lines')
    return withUnsearched(hitLines(batches, limits.searchHits), () => unsearched)
  return form === 'lines' ? hitLines(batches) : hitList(batches)
}
