import { hitsMediaType, type searchNames } from '../../shared/contract/search.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { limits } from '../../shared/domain/limits.ts'
import { byteLength } from '../../shared/domain/name-bytes.ts'
import { parseNameQuery } from '../../shared/domain/name-query.ts'
import type { Turns } from '../turns/turns.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { FoundNames } from '../storage/port.ts'
import { hitLines, hitList } from './hit-pieces.ts'
import { withHeartbeats } from './with-heartbeats.ts'

export type SearchNeeds = {
  /** Whether searches answer line by line without being asked to (`--searchStream`). */
  readonly streams: boolean
  readonly turns: Turns
  readonly heartbeatMs: number
}

/** Names below a folder that fit the query, sent as they are found; nothing is walked once the client has left. */
export async function search(
  { streams, turns, heartbeatMs }: SearchNeeds,
  { caller, path, query, header, signal }: Asked<typeof searchNames>,
): Promise<Answer> {
  const text = query.query ?? ''
  if (byteLength(text) > limits.searchQueryBytes)
    throw new AppError('bad-request', { reason: 'the search is too long' })
  const wanted = parseNameQuery(text)
  async function* open(until: AbortSignal): AsyncGenerator<FoundNames, void> {
    const leave = await turns.take(caller.user.id, until)
    try {
      yield* caller.storage.find(path, { query: wanted, signal: until })
    } finally {
      leave()
    }
  }
  const found = withHeartbeats({ open, signal, everyMs: heartbeatMs })
  if (header('accept')?.includes(hitsMediaType)) {
    return { kind: 'pieces', contentType: hitsMediaType, pieces: hitLines(found, limits.searchHits) }
  }
  return streams
    ? { kind: 'pieces', contentType: 'text/plain; charset=utf-8', pieces: hitLines(found) }
    : { kind: 'pieces', contentType: 'application/json; charset=utf-8', pieces: hitList(found) }
}
