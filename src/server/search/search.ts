import { hitsMediaType, type searchNames } from '../../shared/contract/search.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { parseNameQuery } from '../../shared/domain/name-query.ts'
import type { KeyedLimiter } from '../concurrency/keyed-limiter.ts'
import type { RouteResponse, OperationRequest } from '../http/route.ts'
import type { NameSearchMatches } from '../storage/port.ts'
import { hitLines, hitList, withUnsearched } from './hit-formats.ts'
import { withHeartbeats } from './with-heartbeats.ts'

/**
 * The bytes of the matches that were found in advance of the client. This is an estimate, not a measurement: batches of
 * matches with the longest paths, of 4 kB, take about 1.5 MB.
 */
const searchBytes = 2 * 1024 * 1024

export type SearchDependencies = {
  /** True when search responses are sent line by line even if the client has not requested this (`--searchStream`). */
  readonly streams: boolean
  readonly limiter: KeyedLimiter
  /** The time in milliseconds without a hit after which a heartbeat is sent. */
  readonly heartbeatMs: number
}

/**
 * Searches for names below a folder and sends the hits as they are found. The search ends when the client disconnects.
 * The number of concurrent searches of each user is limited, and further searches wait.
 */
export async function search(
  { streams, limiter, heartbeatMs }: SearchDependencies,
  { caller, path, query, header, signal, reading }: OperationRequest<typeof searchNames>,
): Promise<RouteResponse> {
  const text = query.query ?? ''
  if (byteLength(text) > limits.searchQueryBytes)
    throw new AppError('bad-request', { reason: 'the search is too long' })
  const nameQuery = parseNameQuery(text, {
    ignoresAccents: query.ignoreAccents === 'true',
    needsAllTerms: query.allTerms === 'true',
  })
  const isDescribed = header('accept')?.includes(hitsMediaType) === true
  let unsearched = 0
  async function* startSearch(until: AbortSignal): AsyncGenerator<NameSearchMatches, void> {
    const release = await limiter.acquire(caller.user.id, until)
    try {
      if (!reading.hold(searchBytes)) await reading.wait(searchBytes)
      yield* caller.storage.find(path, {
        query: nameQuery,
        describes: isDescribed,
        abbreviations: query.abbreviations === 'true',
        onUnreachable: (count) => (unsearched += count),
        signal: until,
      })
    } finally {
      release()
    }
  }
  const batches = withHeartbeats({ open: startSearch, signal, everyMs: heartbeatMs })
  if (isDescribed) {
    const chunks = withUnsearched(hitLines(batches, limits.searchHits), () => unsearched)
    return { kind: 'stream', contentType: hitsMediaType, chunks }
  }
  return streams
    ? { kind: 'stream', contentType: 'text/plain; charset=utf-8', chunks: hitLines(batches) }
    : { kind: 'stream', contentType: 'application/json; charset=utf-8', chunks: hitList(batches) }
}
