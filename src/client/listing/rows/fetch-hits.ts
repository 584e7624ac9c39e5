import type { SearchGaps, SearchHit, SearchTruncation } from '../../../shared/contract/search.ts'
import type { Path } from '../../../shared/domain/path.ts'
import { compareNames } from '../../../shared/domain/sorting.ts'
import { bytesOf, createNdjsonReader } from '../../../shared/domain/ndjson-reader.ts'

/**
 * The media type of the stream of hits. `shared/contract/search` contains the same media type, but the client may import
 * only types from that file.
 */
const hitsMediaType = 'application/x-ndjson'

export type HitsRequest = {
  readonly folder: Path
  readonly query: string
  /** Set to let the server also find paths that have only the letters of the query. */
  readonly abbreviations?: 'true'
  /** Set to let the server find only names that contain all terms of the query. */
  readonly allTerms?: 'true'
  readonly signal: AbortSignal
}

/** Sends the request of a search and returns the response, as `call` does. */
type SendSearch = (
  route: 'search.get',
  request: {
    readonly path: Path
    readonly isFolder: true
    readonly query: {
      readonly query: string
      readonly ignoreAccents: 'true'
      readonly abbreviations: 'true' | undefined
      readonly allTerms: 'true' | undefined
    }
    readonly headers: { readonly accept: string }
    readonly signal: AbortSignal
  },
) => Promise<Response>

/** The reasons for which the hits of a search are incomplete: too many hits, and folders that could not be entered. */
export type HitGaps = {
  /** True when the server has left out hits because there are too many. */
  readonly isTruncated: boolean
  /** The number of folders that the server could not search, because they cannot be reached. */
  readonly unsearched: number
}

/**
 * Searches below a folder without regard to accents, as the filter of a folder does, and passes the hits on as they arrive.
 * Returns what the hits lack. Servers that do not send hits line by line answer with one list.
 * @throws CallError, and the `AbortError` of the signal.
 */
export async function fetchHits(
  send: SendSearch,
  { folder, query, abbreviations, allTerms, signal }: HitsRequest,
  onHits: (hits: readonly SearchHit[]) => void,
): Promise<HitGaps> {
  const headers = { accept: `${hitsMediaType}, application/json` }
  const response = await send('search.get', {
    path: folder,
    isFolder: true,
    query: { query, ignoreAccents: 'true', abbreviations, allTerms },
    headers,
    signal,
  })
  const isList = response.headers.get('content-type')?.startsWith('application/json') === true
  if (!isList) return readLines(response, onHits)
  onHits(inNaturalOrder(await response.json()))
  return { isTruncated: false, unsearched: 0 }
}

async function readLines(response: Response, onHits: (hits: readonly SearchHit[]) => void): Promise<HitGaps> {
  const lines = createNdjsonReader()
  let isTruncated = false
  let unsearched = 0
  const take = (values: Iterable<unknown>): void => {
    const hits: SearchHit[] = []
    for (const value of values as Iterable<SearchHit | SearchTruncation | SearchGaps>) {
      if ('truncated' in value) isTruncated = true
      else if ('unsearched' in value) unsearched = value.unsearched
      else hits.push(value)
    }
    if (hits.length > 0) onHits(inNaturalOrder(hits))
  }
  for await (const chunk of bytesOf(response)) take(lines.push(chunk))
  take(lines.end())
  return { isTruncated, unsearched }
}

const folderOf = ({ path }: SearchHit): string => path.slice(0, path.lastIndexOf('/') + 1)

/**
 * Sorts consecutive hits of the same folder in the order of a listing, with `2` before `10`. The server sends them in
 * byte order. Hits that have arrived before keep their places.
 */
function inNaturalOrder(hits: readonly SearchHit[]): readonly SearchHit[] {
  const runs: SearchHit[][] = []
  for (const hit of hits) {
    const run = runs.at(-1)
    if (run?.[0] !== undefined && folderOf(run[0]) === folderOf(hit)) run.push(hit)
    else runs.push([hit])
  }
  return runs.flatMap((run) => run.sort((a, b) => compareNames(a.path, b.path)))
}
