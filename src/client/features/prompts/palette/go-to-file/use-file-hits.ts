import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { SearchHit } from '../../../../../shared/contract/search.ts'
import { maxAbbreviatedPaths } from '../../../../../shared/domain/abbreviation.ts'
import { joinPaths, pathOf, type Path, root } from '../../../../../shared/domain/path.ts'
import { call, isAborted, statusOf } from '../../../../api/call.ts'
import { fetchHits, type HitGaps } from '../../../../listing/rows/fetch-hits.ts'
import { reasonOfSearch } from '../../../../operations/reason.ts'
import { type ListedEntry, readFlags } from '../../../../state/listed-entry.ts'
import { keepHits } from './keep-hits.ts'
import { createHitRanking } from './rank-hits.ts'

/** A file or folder that the search of the palette has found, or a place that was open before. */
export type FileHit = {
  readonly path: Path
  readonly isFolder: boolean
  /** Null for a place that was open before, and for an entry that has disappeared. */
  readonly facts: Pick<ListedEntry, 'isLink' | 'isBroken' | 'sizeBytes' | 'modifiedMs'> | null
}

/** The hits for a text. `state` is `idle` while the text is empty, with the recent places as hits. `failure` is set when the search has failed. */
export type FileHits = {
  /** The text as it is searched. */
  readonly text: string
  readonly state: 'idle' | 'running' | 'done' | 'failed'
  readonly hits: readonly FileHit[]
  /** True when there are further hits that are not shown. */
  readonly isCut: boolean
  readonly failure: SearchFailure | null
  /** The number of folders that the server could not search, because they cannot be reached. */
  readonly unsearched: number
}

/** The reason for which a search has failed as a sentence. `canRetry` is true when the search may succeed at the next try. */
export type SearchFailure = { readonly sentence: string; readonly canRetry: boolean }

/** The time after the last letter at which the search starts, in milliseconds, as in the search field (ux 2.6). */
const debounceMs = 120
/** The palette shows this many hits, the best ones. Further letters narrow the search. */
export const maxHits = maxAbbreviatedPaths
/**
 * The time in milliseconds from the start of a search until its hits so far are shown. Until then, the fitting hits of the
 * text before stay. Most searches have ended by then, so that the first hit is the best one, and stays first.
 */
const gatherMs = 400

type Found = Omit<FileHits, 'isCut'>

const noHits: Found = { text: '', state: 'idle', hits: [], failure: null, unsearched: 0 }

type FileHitsOptions = {
  /** The folder on screen, whose files come first. */
  readonly open: Path
  readonly onOpen: (hit: FileHit) => void
  /** Called instead when the search has ended without a hit. */
  readonly onNoHits: () => void
}

type FileSearch = FileHits & {
  /**
   * Opens the first hit: now, or when the search has ended, because a better hit may arrive until then. A search that has
   * failed is tried again.
   */
  readonly openFirst: () => void
  /** Searches for the same text again. */
  readonly retry: () => void
}

/**
 * Finds files and folders below the root by a part of their name. A new text ends the search for the previous one, whose
 * fitting hits stay until the new ones have arrived. An empty text finds the recent places.
 */
export function useFileHits(
  typed: string,
  recent: readonly FileHit[],
  { open, onOpen, onNoHits }: FileHitsOptions,
): FileSearch {
  // A slash between names of folders counts as a space, because the words may be in any name of the path.
  const text = typed.replaceAll('/', ' ').trim()
  const [found, setFound] = useState(noHits)
  const [retried, setRetried] = useState<{ readonly text: string } | null>(null)
  const isEntered = useRef(false)
  const openHit = useEffectEvent(onOpen)
  const endWithoutHits = useEffectEvent(onNoHits)
  const readRecent = useEffectEvent(() => recent)
  useEffect(() => {
    isEntered.current = false
    if (text === '') return undefined
    const abort = new AbortController()
    const show: ShowHits = (hits, state, { failure = null, unsearched = 0 } = {}) => {
      const [first] = hits
      if (abort.signal.aborted) return
      if (isEntered.current && state === 'done' && first !== undefined) openHit(first)
      else if (isEntered.current && state === 'done') endWithoutHits()
      else if (state !== 'running') setFound({ text, state, hits, failure, unsearched })
      else {
        const earlier = readRecent()
        setFound((last) => ({
          text,
          state,
          hits: keepHits(text, { arrived: hits, earlier: [...earlier, ...last.hits], limit: maxHits, open }),
          failure,
          unsearched,
        }))
      }
    }
    const delayMs = retried?.text === text ? 0 : debounceMs
    const timer = setTimeout(() => void search({ query: text, open }, abort, show), delayMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [text, open, retried])
  const shown = useMemo(() => shownFor(text, open, { found, recent }), [text, open, found, recent])
  const retry = (): void => {
    setFound((last) => ({ ...last, state: 'running', failure: null }))
    setRetried({ text })
  }
  const openFirst = (): void => {
    const { state, hits, failure } = shown
    const isPending = state === 'running' && found.text !== text
    if (hits[0] !== undefined && !isPending) onOpen(hits[0])
    else if (state === 'done') onNoHits()
    else if (failure === null) isEntered.current = true
    else if (failure.canRetry) retry()
  }
  return { ...shown, isCut: text !== '' && shown.hits.length === maxHits, openFirst, retry }
}

/** Returns the hits to show for a text while the last hits that arrived may be those of the text before. */
function shownFor(
  text: string,
  open: Path,
  { found, recent }: { readonly found: Found; readonly recent: readonly FileHit[] },
): Found {
  if (text === '') return { ...noHits, hits: recent }
  if (found.text === text) return found
  const earlier = [...recent, ...found.hits]
  return {
    text,
    state: 'running',
    hits: keepHits(text, { arrived: [], earlier, limit: maxHits, open }),
    failure: null,
    unsearched: 0,
  }
}

type ShowHits = (
  hits: readonly FileHit[],
  state: FileHits['state'],
  outcome?: Partial<Pick<FileHits, 'failure' | 'unsearched'>>,
) => void

type FileQuery = { readonly query: string; readonly open: Path }

/**
 * Searches all folders, and the open folder by itself: the server sends the best hits only, which may leave out those in the
 * open folder.
 */
async function search({ query, open }: FileQuery, abort: AbortController, show: ShowHits): Promise<void> {
  const rank = createHitRanking<FileHit>(query, { limit: maxHits, open })
  const found = new Set<Path>()
  let hits: readonly FileHit[] = []
  let isGathering = true
  const timer = setTimeout(() => {
    isGathering = false
    show(hits, 'running')
  }, gatherMs)
  try {
    const searchIn = (folder: Path): Promise<HitGaps> =>
      fetchHits(call, { folder, query, abbreviations: 'true', signal: abort.signal }, (arrived) => {
        const added = arrived.flatMap((hit) => hitOf(folder, hit)).filter(({ path }) => !found.has(path))
        for (const { path } of added) found.add(path)
        const best = rank(added)
        if (best.length === hits.length && best.every((hit, at) => hit === hits[at])) return
        hits = best
        if (!isGathering) show(hits, 'running')
      })
    const gaps = await Promise.all([...new Set([open, root])].map(searchIn))
    clearTimeout(timer)
    // The search of all folders counts the folders below the open one, too.
    show(hits, 'done', { unsearched: Math.max(...gaps.map(({ unsearched }) => unsearched)) })
  } catch (thrown) {
    clearTimeout(timer)
    if (isAborted(thrown)) return
    show(hits, 'failed', {
      failure: { sentence: reasonOfSearch(thrown), canRetry: statusOf(thrown) !== 403 },
    })
  }
}

function hitOf(folder: Path, { path, isDir, size, modifiedMs, flags }: SearchHit): readonly FileHit[] {
  const relative = pathOf(path)
  const found = relative === null ? null : joinPaths(folder, relative)
  if (found === null) return []
  const { isFolder, isLink, isBroken } = readFlags(flags ?? 0)
  const facts =
    size === undefined || modifiedMs === undefined ? null : { sizeBytes: size, modifiedMs, isLink, isBroken }
  return [{ path: found, isFolder: isDir || isFolder, facts }]
}
