import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import type { Listing } from '../grid/listing.ts'
import type { FolderRows } from '../rows/folder-rows.ts'
import { type Proportions, takenTimes } from '../taken/taken-times.ts'
import { maxTiles } from './tile-layout.ts'
import { areGalleryPartsLoaded, evenTiles, loadGalleryParts, showHeldTiles, showTiles } from './show-tiles.ts'
import { versionOfFiles } from './version-of-files.ts'

/** The time without a change of the rows after which the facts of a gallery on screen are requested again, in milliseconds. */
const restMs = 300

/** The time after which tiles are visible in any case, in milliseconds: where rows are not complete, or change again and again. */
const limitMs = 1500

const noProportions: Proportions = new Map()

type GalleryFactsOptions = {
  /** The key under which the facts are remembered: the path of the folder. */
  readonly key: string
  readonly listing: Listing
  readonly rows: FolderRows
  readonly isGallery: boolean
  /** True for all rows of a folder, and somebody who may download them. */
  readonly mayRequest: boolean
  /** Requests the times and sizes. Rejects when the server refuses them. */
  readonly request: (signal: AbortSignal) => Promise<Response>
}

type RequestedFacts = {
  readonly key: string
  readonly version: number
  readonly controller: AbortController
}

/**
 * Loads when the pictures in a folder were taken, and their proportions, once for each version of a folder that is a gallery, and lays out
 * its tiles. They are remembered when all have arrived, so that the rows move once. The tiles are laid out with the proportions that come
 * within a short time. Those that come later place the tiles further down.
 */
export function useGalleryFacts(options: GalleryFactsOptions): void {
  // The caches that the compiler would add hold nothing but functions of effects.
  'use no memo'
  const { key, listing, rows, isGallery, mayRequest, request } = options
  const { total, isComplete } = rows.summary
  const isSmall = total <= maxTiles
  const mayHaveFacts = isGallery && mayRequest && isSmall
  const shownKey = useRef<string | null>(null)
  const showKnown = useEffectEvent((known: Proportions | undefined, signal: AbortSignal): void => {
    const isFirst = shownKey.current !== key
    shownKey.current = key
    if (!isSmall) return listing.tiles.set(evenTiles)
    const isAwaited = mayHaveFacts && known === undefined && (!isComplete || hasPictures(rows))
    if (!isAwaited && areGalleryPartsLoaded()) return showTiles(listing, known ?? noProportions, 'anew')
    // Tiles that are visible already stay visible.
    if (isFirst) listing.tiles.set(null)
    void loadGalleryParts().then(
      () => !isAwaited && !signal.aborted && showHeldTiles(listing, known ?? noProportions),
    )
  })
  /** Another value places the tiles anew. */
  const visit = isGallery ? JSON.stringify([mayHaveFacts, isSmall, isComplete]) : null
  // The tiles of the previous folder are replaced before the first paint.
  useLayoutEffect(() => {
    if (visit === null) {
      shownKey.current = null
      return undefined
    }
    const controller = new AbortController()
    showKnown(takenTimes.get().get(key)?.proportions, controller.signal)
    const limit = setTimeout(() => showHeldTiles(listing, noProportions), limitMs)
    return () => {
      clearTimeout(limit)
      controller.abort()
    }
  }, [key, listing, visit])
  useRequestedFacts({ key, listing, rows, request, mayHaveFacts })
}

type RequestedFactsOptions = Omit<GalleryFactsOptions, 'isGallery' | 'mayRequest'> & {
  readonly mayHaveFacts: boolean
}

/** Requests the facts of a folder once for each version of its files. */
function useRequestedFacts({ key, listing, rows, request, mayHaveFacts }: RequestedFactsOptions): void {
  'use no memo'
  /** The folder that had no pictures at first, so that all its tiles are new. */
  const keyWithoutPictures = useRef<string | null>(null)
  const load = useEffectEvent(async (version: number, signal: AbortSignal): Promise<void> => {
    const response = request(signal)
    // After a change of the rows, the tiles of new and renamed pictures are squares until the facts have come.
    const mode = keyWithoutPictures.current === key || takenTimes.get().has(key) ? 'anew' : 'in place'
    // A refusal may come before the code.
    response.catch(() => undefined)
    const parts = await loadGalleryParts()
    if (parts !== null) return parts.loadFacts({ key, listing, version, mode, response }, signal)
    // Nobody reads the response, which would keep its connection.
    await (await response).body?.cancel()
    throw new Error('the code of galleries cannot be loaded')
  })
  /** The version whose facts are requested or were requested last. Rows that change without their files leave the request alone. */
  const requested = useRef<RequestedFacts | null>(null)
  useEffect(() => {
    if (requested.current?.key !== key) endRequest(requested)
    if (!mayHaveFacts || !rows.summary.isComplete) return
    if (!hasPictures(rows)) {
      keyWithoutPictures.current = key
      return
    }
    const version = versionOfFiles(listing.columns.get())
    if (requested.current?.version === version) return
    endRequest(requested)
    if (takenTimes.get().get(key)?.version === version) return
    const controller = new AbortController()
    const request = { key, version, controller }
    requested.current = request
    const delayMs = listing.tiles.get() === null ? 0 : restMs
    setTimeout(() => {
      if (controller.signal.aborted) return
      load(version, controller.signal).catch(() => {
        // The next change of the rows tries again.
        if (requested.current === request) requested.current = null
      })
    }, delayMs)
  }, [key, listing, rows, mayHaveFacts])
  useEffect(() => {
    if (!mayHaveFacts) return undefined
    return () => endRequest(requested)
  }, [mayHaveFacts])
}

function endRequest(requested: { current: RequestedFacts | null }): void {
  requested.current?.controller.abort()
  requested.current = null
}

function hasPictures({ summary, typeAt }: FolderRows): boolean {
  for (let index = summary.folders; index < summary.total; index += 1)
    if (typeAt(index) === 'image') return true
  return false
}
